//! Finds the agents of a folder.

use crate::catalog::bundled_files::is_skipped;
use crate::catalog::load::precedence::SAME_IDS;
use crate::catalog::walk::bad_folder_name;
use crate::folder::{Folder, FolderError, FolderItem, HardLinks, ItemKind};
use crate::key::key;
use crate::{AgentDoc, Diagnostic, DiagnosticCode, DocumentLimits, Severity, check_agent_bytes};
use skill_manifest::__private::id_problem;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The name of an agent's file.
const FILE: &str = "AGENT.md";

/// An agent, or a file that is not one because of a mistake.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundAgent {
    /// `None` if one of the diagnostics prevents the agent from being used.
    pub(super) doc: Option<AgentDoc>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The result of a scan.
#[derive(Debug, Default)]
pub(super) struct ScannedAgents {
    /// The agents by their ids.
    pub(super) agents: BTreeMap<String, FoundAgent>,
    /// The problems that belong to no agent.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The warning about an agent's file directly in the folder.
    pub(super) is_agent: Option<Diagnostic>,
}

/// Scans a folder.
pub(super) fn scan(path: &Path) -> Result<ScannedAgents, FolderError> {
    let top = Folder::open(path)?;
    let mut scanned = ScannedAgents::default();
    for FolderItem { name, kind } in top.items(DocumentLimits::DEFAULT.entries)? {
        let at = path.join(&name);
        if kind == ItemKind::File {
            scanned.look_at_file(&top, &name, &at);
        } else if kind != ItemKind::Other && !is_skipped(&name) {
            scanned.look_at_folder(&top, &name, &at);
        }
    }
    scanned.refuse_duplicates(path);
    Ok(scanned)
}

impl ScannedAgents {
    /// Reports a text file with frontmatter beside the folders, where other programs store agents.
    fn look_at_file(&mut self, top: &Folder, name: &OsStr, at: &Path) {
        if name == FILE {
            let message = format!("`{FILE}` is not read: an agent has a folder of its own");
            self.is_agent = Some(warning(DiagnosticCode::MisplacedDocument, message, at));
            return;
        }
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".md")) else {
            return;
        };
        let read = top.file(name, DocumentLimits::DEFAULT.file, HardLinks::Allow);
        if read.is_ok_and(|bytes| bytes.starts_with(b"---")) {
            let message = format!("`{id}.md` is not read: an agent is `{id}/{FILE}`");
            let why = warning(DiagnosticCode::MisplacedDocument, message, at);
            self.agents
                .entry(id.to_owned())
                .or_default()
                .diagnostics
                .push(why);
        }
    }

    /// Reads the agent in a folder.
    fn look_at_folder(&mut self, top: &Folder, name: &OsStr, at: &Path) {
        let Some(id) = name.to_str().filter(|_| bad_folder_name(name).is_none()) else {
            let wrong = bad_folder_name(name).map(|wrong| wrong.with_path(shown(at)));
            self.diagnostics.extend(wrong);
            return;
        };
        let file = at.join(FILE);
        let folder = match top.folder(name) {
            // deleted since it was listed
            Err(FolderError::Missing) => return,
            Err(why) => return self.insert(id, unreadable(&why, at)),
            Ok(folder) => folder,
        };
        let limit = DocumentLimits::DEFAULT.file;
        match folder.file(OsStr::new(FILE), limit, HardLinks::Allow) {
            Err(FolderError::Missing) => {
                let message = format!("the folder has no `{FILE}`");
                self.insert(id, warning(DiagnosticCode::MissingSkillMd, message, at));
            }
            Err(why) => self.insert(id, unreadable(&why, &file)),
            Ok(bytes) => {
                let report = check_agent_bytes(&shown(&file), &bytes);
                let mut diagnostics = report.diagnostics().to_vec();
                let bad_id = id_problem(id).map(|wrong| wrong.with_path(shown(at)));
                let doc = report.into_doc().ok().filter(|_| bad_id.is_none());
                diagnostics.extend(bad_id);
                self.agents
                    .insert(id.to_owned(), FoundAgent { doc, diagnostics });
            }
        }
    }

    /// Adds a folder without a readable agent.
    fn insert(&mut self, id: &str, why: Diagnostic) {
        let diagnostics = vec![why];
        let found = FoundAgent {
            doc: None,
            diagnostics,
        };
        self.agents.insert(id.to_owned(), found);
    }

    /// Refuses agents whose ids differ only in case or Unicode form, like documents with such ids.
    fn refuse_duplicates(&mut self, path: &Path) {
        let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (id, _) in self.agents.iter().filter(|(_, found)| found.doc.is_some()) {
            ids.entry(key(id).into_owned())
                .or_default()
                .push(id.clone());
        }
        for group in ids.into_values().filter(|group| group.len() > 1) {
            for (index, id) in group.iter().enumerate() {
                let other = &group[usize::from(index == 0)];
                let other_path = shown(&path.join(other).join(FILE));
                let message = format!(
                    "`{id}` is also the id `{other}` of {other_path}, and neither can be used"
                );
                let why = Diagnostic::new(DiagnosticCode::DuplicateId, Severity::Error, message);
                let why = why
                    .with_path(shown(&path.join(id).join(FILE)))
                    .help(SAME_IDS);
                let found = self.agents.entry(id.clone()).or_default();
                found.doc = None;
                found.diagnostics.push(why);
            }
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn warning(code: DiagnosticCode, message: String, at: &Path) -> Diagnostic {
    Diagnostic::new(code, Severity::Warning, message).with_path(shown(at))
}

fn unreadable(why: &FolderError, at: &Path) -> Diagnostic {
    let message = format!("it cannot be read: {why}");
    Diagnostic::new(why.code(), Severity::Error, message).with_path(shown(at))
}
