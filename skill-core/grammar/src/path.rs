//! Paths of values in JSON, as written in messages and specs: `stats.samples[3]`.

use std::borrow::Cow;

/// Joins the path `at`, which may be empty, and the key `key`: `calculator.precision`.
///
/// Quotes a key that is not a plain name: `stats["a b"]`.
pub fn join(at: &str, key: &str) -> String {
    let mut text = at.to_owned();
    push_key(&mut text, key);
    text
}

/// Appends the key `key` to the path `text`.
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

/// The maximum number of characters of a key in a path. Callers choose the keys, and may send a megabyte.
pub const LONGEST_KEY: usize = 64;

/// Returns `text`, or its first `most` characters followed by `…`.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}
