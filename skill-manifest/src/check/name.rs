//! The grammar of names.

use super::Reader;
use crate::yaml::Node;
use crate::{Charset, Code, Dialect, Rule};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

impl Reader<'_, '_> {
    /// A name has the characters of its dialect; its length is checked with the others.
    pub(crate) fn check_name(&mut self, name: &str, node: &Node) {
        if let Some(why) = wrong(name, self.dialect) {
            // the name has to be that of the folder as well
            let folder = self.directory.filter(|it| {
                self.dialect.directory != Rule::Ignore && wrong(it, self.dialect).is_none()
            });
            let near = match folder {
                Some(folder) => folder.to_owned(),
                None => crate::sanitize_name(name).replace(['.', '_'], "-"),
            };
            let help = format!("`{near}` would do");
            let message = format!("the name `{name}` {why}");
            self.tell(
                self.dialect.form.severity(),
                Code::InvalidName,
                node,
                message,
                help,
            );
        }
    }

    /// A name is that of its folder, whatever their Unicode forms.
    pub(crate) fn check_directory(&mut self, name: &str, directory: &str, node: &Node) {
        if name != directory && !name.nfkc().eq(directory.nfkc()) {
            let message = format!("the name `{name}` is not that of the folder `{directory}`");
            let help = "name both alike".to_owned();
            self.tell(
                self.dialect.directory.severity(),
                Code::NameMismatch,
                node,
                message,
                help,
            );
        }
    }
}

/// What is wrong with the characters of a name.
fn wrong(name: &str, dialect: &Dialect) -> Option<&'static str> {
    match dialect.charset {
        Charset::Any => None,
        Charset::AsciiWord => ascii_word(name),
        Charset::LowerHyphen => lower_hyphen(&compared(name)),
    }
}

/// The form in which names are compared.
fn compared(name: &str) -> Cow<'_, str> {
    match name.is_ascii() {
        true => Cow::Borrowed(name),
        false => Cow::Owned(name.nfkc().collect()),
    }
}

/// The length of a name: in the form in which the dialect compares it.
pub(crate) fn length(name: &str, dialect: &Dialect) -> usize {
    match dialect.charset {
        Charset::LowerHyphen => dialect.unit.count(&compared(name)),
        _ => dialect.unit.count(name),
    }
}

fn ascii_word(name: &str) -> Option<&'static str> {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!name.chars().all(word)).then_some("has other characters than letters, digits, `-` and `_`")
}

fn lower_hyphen(name: &str) -> Option<&'static str> {
    // a mark alone is no letter, though Rust counts many of them as alphabetic
    let letter = |c: char| c.is_alphanumeric() && !is_combining_mark(c);
    if !name.chars().all(|c| letter(c) || c == '-') {
        Some("has other characters than lower-case letters, digits and `-`")
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
