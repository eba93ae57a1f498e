//! Checks the characters of names.

use super::{Reader, id_problem, is_invisible};
use crate::yaml::Node;
use crate::{DiagnosticCode, Dialect, Enforcement, FrontmatterField, NameCharset};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

impl Reader<'_, '_> {
    /// Checks that the dialect allows every character of a name. The name's length is checked elsewhere.
    pub(crate) fn check_name(&mut self, name: &str, node: &Node) {
        if let Some(why) = name_problem(name, self.dialect) {
            let help = self.suggest_name(name);
            let help = help.unwrap_or_else(|| "name it as in `code-review`".to_owned());
            let message = format!("the name `{name}` {why}");
            self.report(
                self.dialect.form.severity(),
                DiagnosticCode::InvalidName,
                node,
                message,
                help,
            );
        }
    }

    /// Suggests a valid name similar to `name`.
    pub(crate) fn suggest_name(&self, name: &str) -> Option<String> {
        // the name must also match its folder
        let folder = self
            .directory
            .filter(|_| self.dialect.directory != Enforcement::Ignore);
        let mut near = folder
            .map(str::to_owned)
            .into_iter()
            .chain([normalized_name(name)]);
        let near = near.find(|candidate| is_valid_name(candidate, self.dialect))?;
        Some(format!("`{near}` would be valid"))
    }

    /// Checks that a name equals its folder's name. Compares their NFKC forms.
    pub(crate) fn check_directory(&mut self, name: &str, directory: &str, node: &Node) {
        if name != directory && !name.nfkc().eq(directory.nfkc()) {
            let message =
                format!("the name `{name}` differs from the name of its folder, `{directory}`");
            let help = "give both the same name".to_owned();
            self.report(
                self.dialect.directory.severity(),
                DiagnosticCode::NameMismatch,
                node,
                message,
                help,
            );
        }
    }
}

/// Converts a name to letters, digits and single `-`.
fn normalized_name(name: &str) -> String {
    let mut near = String::new();
    let lower = name.nfkc().flat_map(char::to_lowercase).nfkc();
    for c in lower.filter(|&c| c.is_control() || !is_invisible(c)) {
        if c.is_alphanumeric() && !is_combining_mark(c) {
            near.push(c);
        } else if !near.is_empty() && !near.ends_with('-') {
            near.push('-');
        }
    }
    near.truncate(near.trim_end_matches('-').len());
    near
}

fn is_valid_name(name: &str, dialect: &Dialect) -> bool {
    let mut lengths = dialect.lengths.iter();
    let max = lengths.find(|(field, _)| *field == FrontmatterField::Name);
    id_problem(name).is_none()
        && name_problem(name, dialect).is_none()
        && max.is_none_or(|(_, max)| length(name, dialect) <= *max)
}

/// Describes the mistake in a name's characters, if there is one.
fn name_problem(name: &str, dialect: &Dialect) -> Option<&'static str> {
    match dialect.charset {
        NameCharset::Any => None,
        NameCharset::AsciiWord => ascii_word(name),
        NameCharset::LowerHyphen => lower_hyphen(&comparison_form(name)),
    }
}

/// Returns a name in Unicode form NFKC, for comparison.
fn comparison_form(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.nfkc().collect())
    }
}

/// Returns the length of a name's comparison form, in the dialect's unit.
pub(crate) fn length(name: &str, dialect: &Dialect) -> usize {
    match dialect.charset {
        NameCharset::LowerHyphen => dialect.unit.count(&comparison_form(name)),
        _ => dialect.unit.count(name),
    }
}

fn ascii_word(name: &str) -> Option<&'static str> {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!name.chars().all(word)).then_some("has characters other than letters, digits, `-` and `_`")
}

fn lower_hyphen(name: &str) -> Option<&'static str> {
    // combining marks and fillers are not letters, although Rust classifies many of them as alphabetic
    let letter = |c: char| c.is_alphanumeric() && !is_combining_mark(c) && !is_invisible(c);
    if !name.chars().all(|c| letter(c) || c == '-') {
        Some("has characters other than lower-case letters, digits and `-`")
    } else if name.to_lowercase() != name {
        Some("is not in lower case")
    } else if name.starts_with('-') || name.ends_with('-') {
        Some("begins or ends with `-`")
    } else if name.contains("--") {
        Some("has two `-` in a row")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::{DiagnosticCode, Dialect, check_at};

    #[test]
    fn a_suggested_name_is_valid() {
        let long = "x".repeat(65);
        for (folder, name, help) in [
            ("review", "Code Review", "`review` would be valid"),
            // the folder's name is invalid too
            ("Code Review", "Code Review", "`code-review` would be valid"),
            ("\u{c9}tude", "\u{c9}tude", "`\u{e9}tude` would be valid"),
            (&long, "A", "`a` would be valid"),
            ("__", "__", "name it as in `code-review`"),
        ] {
            let text = format!("---\nname: {name}\ndescription: d\n---\n");
            let report = check_at(&format!("{folder}/SKILL.md"), &text, &Dialect::AGENT_SKILLS);
            let found = &report.diagnostics()[0];
            assert_eq!(found.code, DiagnosticCode::InvalidName, "{found}");
            assert_eq!(found.help.as_deref(), Some(help));
        }
    }
}
