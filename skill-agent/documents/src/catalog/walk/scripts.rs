//! Checks that a document's listed scripts exist.

use super::FolderWalk;
use crate::catalog::bundled_files::has_file;
use crate::folder::Folder;
use crate::resource_path::parts;
use crate::{DiagnosticCode, Severity, SkillDoc};
use std::path::Path;

impl FolderWalk<'_> {
    /// Reports each listed script that is not a file in the document's folder. `path` is the document's own file.
    pub(super) fn look_at_scripts(&mut self, folder: &Folder, path: &Path, doc: &SkillDoc) {
        for script in doc.scripts.iter().flat_map(|scripts| scripts.iter()) {
            if let Some(why) = self.script_problem(folder, path, script) {
                let message = format!("the script `{script}` cannot be used: {why}");
                let (code, severity) = (DiagnosticCode::MissingScript, Severity::Warning);
                self.report(path, code, severity, message);
            }
        }
    }

    fn script_problem(&self, folder: &Folder, path: &Path, script: &str) -> Option<String> {
        let document = path.file_name()?.to_str()?;
        // a shell would also accept this form
        let script = script.trim_start_matches("./");
        match parts(script, document, self.dialect.limits.resource_depth) {
            Ok(parts) => Some(has_file(folder, &parts).err()?.to_string()),
            Err(problem) => Some(problem.to_string()),
        }
    }
}
