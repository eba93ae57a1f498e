//! Messages that answer a model's failed request. They reveal nothing about the machine: all paths in them are relative to a
//! document's folder.

use crate::{DocumentReadError, escape};
use skill_core::ReadError;

/// Why a call to a catalog tool failed.
#[derive(Debug)]
pub enum ToolProblem {
    /// The arguments cannot be read.
    Arguments(ReadError),
    /// The error text for the model.
    Failed(String),
}

impl ToolProblem {
    /// Returns the error text for the model.
    pub(crate) fn text(self, tool: &str) -> String {
        match self {
            Self::Arguments(error) => wrong_arguments(tool, &error),
            Self::Failed(text) => text,
        }
    }
}

impl From<ReadError> for ToolProblem {
    fn from(error: ReadError) -> Self {
        Self::Arguments(error)
    }
}

/// Returns the error text for invalid arguments.
fn wrong_arguments(tool: &str, error: &ReadError) -> String {
    format!("Error: the arguments of `{tool}` are wrong: {error}")
}

/// Returns the error text for an id that is not offered.
pub(crate) fn not_found(skill_name: &str, nearest: Option<&str>) -> String {
    let skill_name = escape::name(skill_name);
    let meant = nearest.map(|nearest| format!(" Did you mean '{}'?", escape::attribute(nearest)));
    format!(
        "Error: Skill '{skill_name}' not found. It may have been removed or is unavailable.{}",
        meant.unwrap_or_default()
    )
}

/// Returns the error text for a document that cannot be read.
pub(crate) fn not_loaded(skill_name: &str, error: &DocumentReadError) -> String {
    let Some(e) = reason(error) else {
        return not_found(skill_name, None);
    };
    let skill_name = escape::name(skill_name);
    format!("Error loading skill '{skill_name}': {e}")
}

/// Returns why a document or one of its files cannot be read, without paths of the machine. Returns `None` if the document does
/// not exist.
pub fn reason(error: &DocumentReadError) -> Option<String> {
    let reason = match error {
        DocumentReadError::Unknown { .. }
        | DocumentReadError::NotListed { .. }
        | DocumentReadError::Untrusted { .. }
        | DocumentReadError::Removed { .. } => return None,
        DocumentReadError::Invalid { why, .. } => format!("it is no longer valid: {why}"),
        DocumentReadError::Changed { .. } => "it has changed since it was loaded".to_owned(),
        DocumentReadError::Path { problem, .. } => problem.to_string(),
        DocumentReadError::NoResource { .. } => "there is no such file".to_owned(),
        DocumentReadError::Refused { why, .. } => format!("it is refused: {why}"),
        // only the kind, because the error itself may quote a path
        DocumentReadError::Io { source, .. } => format!("it cannot be read: {}", source.kind()),
    };
    Some(escape::line(&reason, escape::MAX_DESCRIPTION_LENGTH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ContentHash;

    #[test]
    fn no_error_shows_a_path_of_the_machine() {
        let id = || "plan".to_owned();
        let path = || "/home/me/plan/SKILL.md".to_owned();
        let gone = "Error: Skill 'plan' not found. It may have been removed or is unavailable.";
        let source = || {
            let kind = std::io::ErrorKind::PermissionDenied;
            std::io::Error::new(kind, "open /home/me/plan/SKILL.md")
        };
        for (error, expected) in [
            (
                DocumentReadError::Unknown {
                    id: id(),
                    nearest: None,
                },
                gone,
            ),
            (DocumentReadError::NotListed { id: id() }, gone),
            (
                DocumentReadError::Untrusted {
                    id: id(),
                    path: path(),
                    hash: ContentHash::of(b""),
                },
                gone,
            ),
            (
                DocumentReadError::Removed {
                    id: id(),
                    path: path(),
                },
                gone,
            ),
            (
                DocumentReadError::Changed {
                    id: id(),
                    path: path(),
                },
                "Error loading skill 'plan': it has changed since it was loaded",
            ),
            (
                DocumentReadError::Invalid {
                    id: id(),
                    path: path(),
                    why: "its id is\nnow `x`".to_owned(),
                },
                "Error loading skill 'plan': it is no longer valid: its id is now `x`",
            ),
            (
                DocumentReadError::Refused {
                    id: id(),
                    path: path(),
                    why: "it is a symbolic link".to_owned(),
                },
                "Error loading skill 'plan': it is refused: it is a symbolic link",
            ),
            (
                DocumentReadError::Io {
                    id: id(),
                    path: path(),
                    source: source(),
                },
                "Error loading skill 'plan': it cannot be read: permission denied",
            ),
        ] {
            assert_eq!(not_loaded("plan", &error), expected);
        }
    }

    #[test]
    fn a_name_in_an_error_is_one_line_and_short() {
        assert_eq!(
            not_found("a\n\u{202E}b", None),
            "Error: Skill 'a b' not found. It may have been removed or is unavailable."
        );
        assert!(not_found(&"x".repeat(100_000), None).len() < 200);
    }
}
