//! Reads the toolsets and scripts that a document bundles. Their paths must not leave the folder.

use super::restrictions::owned;
use super::skill::SkillReader;
use crate::doc::DocTextList;
use crate::yaml::Value;
use crate::{DiagnosticCode, Enforcement, FrontmatterField, Severity};

impl<'n, 'a: 'n, 'p> SkillReader<'_, 'n, 'a, 'p> {
    /// Reads toolsets of the form `path:Type`. Their paths must stay within the folder.
    pub(crate) fn toolsets(&mut self) -> DocTextList {
        let mut toolsets = self
            .list(FrontmatterField::Toolsets, self.reader.dialect.types)
            .unwrap_or_default();
        toolsets.retain(|(text, node)| {
            let form = self.reader.dialect.form.severity();
            let (severity, message, help) = match text.rsplit_once(':') {
                Some((path, _)) if !stays_inside(path) => {
                    (Some(Severity::Error), "leaves the folder", None)
                }
                Some((_, ty)) if !ty.is_empty() => return true,
                _ => {
                    let path = text.trim_end_matches(':');
                    let help = format!("add the type after the path: `{path}:Type`");
                    (form, "is not `path:Type`", Some(help))
                }
            };
            let message = format!("the toolset `{text}` {message}");
            self.reader.report(
                severity,
                DiagnosticCode::InvalidToolset,
                node,
                message,
                help,
            );
            false
        });
        owned(toolsets)
    }

    pub(crate) fn scripts(&mut self) -> Option<DocTextList> {
        let node = self.node(FrontmatterField::Scripts)?;
        if matches!(node.value, Value::Null) {
            return None;
        }
        let scripts = self.list(FrontmatterField::Scripts, Enforcement::Reject)?;
        for (text, node) in scripts.iter().filter(|(text, _)| !stays_inside(text)) {
            let message = format!("the script `{text}` leaves the folder");
            self.reader.report(
                Severity::Error,
                DiagnosticCode::InvalidScript,
                node,
                message,
                None,
            );
        }
        Some(owned(scripts))
    }
}

/// Returns whether a path stays within its folder. The path is not opened; only its text counts.
fn stays_inside(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    let mut parts = path.split(['/', '\\']);
    !path.is_empty()
        && !drive
        && !path.starts_with(['/', '\\', '~'])
        && !path.contains('\0')
        && !parts.any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::stays_inside;

    #[test]
    fn a_path_that_leaves_its_folder_is_detected() {
        for path in [
            "",
            "../a",
            "a/../b",
            "/a",
            "C:\\a",
            "~/a",
            "a\0",
            "a\\..\\b",
            "\\\\host\\a",
        ] {
            assert!(!stays_inside(path), "{path}");
        }
        assert!(stays_inside("toolsets/index") && stays_inside("a..b/c"));
    }
}
