//! Formats strings in TOML.

/// Formats text as a basic TOML string.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn quotes_backslashes_and_control_characters_are_escaped() {
        assert_eq!(string(r#"a "b" c:\d"#), r#""a \"b\" c:\\d""#);
        assert_eq!(string("a\n\u{7f}é"), "\"a\\u000A\\u007Fé\"");
    }
}
