//! String operations that the standard library does not offer in const evaluation.

/// Returns whether `a == b`, in const evaluation.
pub const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether the list contains the name, in const evaluation.
pub const fn contains(list: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < list.len() {
        if same(list[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns the last segment of a type's path, as written in a list of skills.
pub const fn short(path: &str) -> &str {
    let bytes = path.as_bytes();
    let mut i = bytes.len();
    while i > 0 && bytes[i - 1] != b':' {
        i -= 1;
    }
    path.split_at(i).1
}

/// Returns the position of the first `byte` in `text`, or `text.len()` if `text` does not contain it.
pub const fn position(text: &str, byte: u8) -> usize {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() && bytes[i] != byte {
        i += 1;
    }
    i
}

/// Returns `text` without its first `count` bytes.
pub(crate) const fn skip(text: &str, count: usize) -> &str {
    text.split_at(count).1
}

/// Returns `text` without its leading spaces.
pub(crate) const fn skip_spaces(mut text: &str) -> &str {
    while let [b' ', ..] = text.as_bytes() {
        text = skip(text, 1);
    }
    text
}
