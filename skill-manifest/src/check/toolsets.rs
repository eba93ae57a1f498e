//! Reads the code that a document bundles, toolsets and scripts. Neither may leave the folder.

use super::bounds::owned;
use super::skill::Keys;
use super::words;
use crate::doc::DocTextList;
use crate::yaml::Value;
use crate::{DiagnosticCode, Enforcement, FrontmatterField, Severity};

impl<'n, 'a: 'n, 'p> Keys<'_, 'n, 'a, 'p> {
    /// Reads toolsets, each `path:Type` with a path within the folder.
    pub(crate) fn toolsets(&mut self) -> DocTextList {
        let mut toolsets = self
            .list(FrontmatterField::Toolsets, self.reader.dialect.types)
            .unwrap_or_default();
        toolsets.retain(|(text, node)| {
            let form = self.reader.dialect.form.severity();
            let (severity, message, help) = match text.rsplit_once(':') {
                Some((path, _)) if !words::stays_inside(path) => {
                    (Some(Severity::Error), "leaves the folder", None)
                }
                Some((_, ty)) if !ty.is_empty() => return true,
                _ => {
                    let path = text.trim_end_matches(':');
                    let help = format!("name the type behind the path: `{path}:Type`");
                    (form, "is not `path:Type`", Some(help))
                }
            };
            let message = format!("the toolset `{text}` {message}");
            self.reader.tell(
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
        for (text, node) in scripts
            .iter()
            .filter(|(text, _)| !words::stays_inside(text))
        {
            let message = format!("the script `{text}` leaves the folder");
            self.reader.tell(
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
