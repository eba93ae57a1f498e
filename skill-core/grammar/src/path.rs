//! Paths of values in JSON, as messages and specs write them: `stats.samples[3]`.

use std::borrow::Cow;

/// The path of the key `key` of the object at `at`, which may be empty: `calculator.precision`.
///
/// A key that is not a plain name is quoted: `stats["a b"]`.
pub fn join(at: &str, key: &str) -> String {
    let mut text = at.to_owned();
    push_key(&mut text, key);
    text
}

/// Adds the key `key` to the path `text`.
pub fn push_key(text: &mut String, key: &str) {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if key.is_empty() || !key.chars().all(plain) {
        text.push_str(&format!("[{:?}]", shorten(key, LONGEST_KEY)));
        return;
    }
    if !text.is_empty() {
        text.push('.');
    }
    text.push_str(&shorten(key, LONGEST_KEY));
}

/// The most characters of a key in a path. Callers choose keys, and may send a megabyte.
pub const LONGEST_KEY: usize = 64;

/// `text`, or its first `most` characters and `…`.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}
