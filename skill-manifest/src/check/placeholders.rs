//! Placeholders in a command's body, which the words after the command replace.

use crate::diagnostic::{Diagnostics, Position};
use crate::{DiagnosticCode, SkillDoc};

/// A body with `$1` and without `$0` probably counts the words from 1, as a shell does.
pub(crate) fn check(text: &str, doc: &SkillDoc, diagnostics: &mut Diagnostics<'_>) {
    let is_command = doc.command.is_some() || doc.argument_hint.is_some();
    if !doc.argument_placeholders || !is_command || doc.body.contains("$ARGUMENTS") {
        return;
    }
    let find = |name| {
        let mut found = doc.body.match_indices(name);
        found.find(|(at, name)| ends_word(&doc.body[at + name.len()..]))
    };
    if let (Some((at, _)), None) = (find("$1"), find("$0")) {
        let at = Position::of(text.as_bytes(), doc.body_offset + at);
        let message = "`$1` is the second argument; the first is `$0`";
        let help = "write `$0` for the first argument".to_owned();
        diagnostics.warn(DiagnosticCode::SecondArgument, at, message, help);
    }
}

/// Returns whether a name or number ends here, because `$1st` and `$ARGUMENTS_FILE` are not placeholders.
pub fn ends_word(after: &str) -> bool {
    !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}
