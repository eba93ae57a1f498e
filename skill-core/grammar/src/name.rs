//! Names of skills, agents, tools and arguments, and state keys.

use crate::text::{contains, same};

/// The maximum length of a name or a state key in bytes.
pub const LONGEST_NAME: usize = 64;

/// Returns whether `text` can name a skill or an agent: `[a-z][a-z0-9_-]*`, at most 64 bytes.
pub const fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !matches!(bytes, [b'a'..=b'z', ..]) || bytes.len() > LONGEST_NAME {
        return false;
    }
    let mut i = 1;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether `text` is spelled like a state key: an ASCII identifier of at most 64 bytes. Reserved words are checked
/// separately, by [`is_reserved_state_key`].
pub const fn is_state_key(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > LONGEST_NAME || bytes[0].is_ascii_digit() {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            return false;
        }
        i += 1;
    }
    true
}

/// The words that are not identifiers in Rust 2024, except `gen` and `union`.
const KEYWORDS: [&str; 52] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "Self", "self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns whether `text` cannot be a state key because it is a Rust keyword, or `skills`, the key of mounted skills.
pub const fn is_reserved_state_key(text: &str) -> bool {
    same(text, "skills") || contains(&KEYWORDS, text)
}

/// Returns whether `text` can name a tool: `[a-zA-Z0-9_-]{1,64}`, which every model provider accepts.
pub const fn is_tool_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > LONGEST_NAME {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if !is_name_byte(bytes[i]) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether `text` can be an argument's JSON name: `[a-zA-Z0-9_.-]{1,64}`, which every model provider accepts.
pub const fn is_argument_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > LONGEST_NAME {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] != b'.' && !is_name_byte(bytes[i]) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether `byte` is in `[a-zA-Z0-9_-]`.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-')
}
