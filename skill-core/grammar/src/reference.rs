//! References to tools in a skill's instructions.

/// A piece of a skill's instructions: plain text, or a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPiece<'a> {
    /// The piece itself, or the name in `{Name}`.
    pub text: &'a str,
    /// Whether the piece is a reference.
    pub is_reference: bool,
}

/// Iterates over the pieces of text with references. `{Name}` is a reference if the name has only ASCII letters, digits and `_`
/// and begins with an upper-case letter. `{{Name}}` stands for the text `{Name}`. All other braces are plain text.
#[derive(Clone, Copy, Debug)]
pub struct TextPieces<'a>(&'a str);

impl<'a> TextPieces<'a> {
    /// Creates an iterator over the pieces of `text`.
    pub const fn of(text: &'a str) -> Self {
        Self(text)
    }

    /// Returns whether the text has only one piece, which is the text itself.
    pub const fn is_plain(mut self) -> bool {
        let length = self.0.len();
        match self.next_piece() {
            None => true,
            Some(piece) => !piece.is_reference && piece.text.len() == length,
        }
    }

    /// Returns the next piece. Const evaluation uses this method, because it cannot use `Iterator`.
    pub const fn next_piece(&mut self) -> Option<TextPiece<'a>> {
        let bytes = self.0.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] == b'{' {
                if let Some(end) = escape_end(bytes, at) {
                    return Some(self.without_braces(at, end, false));
                }
                if let Some(end) = reference_end(bytes, at) {
                    return Some(self.without_braces(at, end, true));
                }
            }
            at += 1;
        }
        Some(self.take(bytes.len(), false))
    }

    /// Takes the text before `at`. If there is none, takes the text up to `end`, without its outer braces.
    const fn without_braces(&mut self, at: usize, end: usize, is_reference: bool) -> TextPiece<'a> {
        if at > 0 {
            return self.take(at, false);
        }
        let whole = self.take(end, is_reference);
        let (inner, _) = whole.text.split_at(end - 1);
        TextPiece {
            text: inner.split_at(1).1,
            is_reference,
        }
    }

    const fn take(&mut self, length: usize, is_reference: bool) -> TextPiece<'a> {
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        TextPiece { text, is_reference }
    }
}

impl<'a> Iterator for TextPieces<'a> {
    type Item = TextPiece<'a>;

    fn next(&mut self) -> Option<TextPiece<'a>> {
        self.next_piece()
    }
}

/// Returns the end of the `{Name}` at `at`.
const fn reference_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    if end >= bytes.len() || !bytes[end].is_ascii_uppercase() {
        return None;
    }
    while end < bytes.len() && (bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_') {
        end += 1;
    }
    if end < bytes.len() && bytes[end] == b'}' {
        Some(end + 1)
    } else {
        None
    }
}

/// Returns the end of the `{{Name}}` at `at`.
const fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    if at + 1 >= bytes.len() || bytes[at + 1] != b'{' {
        return None;
    }
    match reference_end(bytes, at + 1) {
        Some(end) if end < bytes.len() && bytes[end] == b'}' => Some(end + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the text with `<Name>` for each reference.
    fn marked(text: &str) -> String {
        let pieces = TextPieces::of(text);
        pieces
            .map(|piece| {
                if piece.is_reference {
                    format!("<{}>", piece.text)
                } else {
                    piece.text.to_owned()
                }
            })
            .collect()
    }

    #[test]
    fn only_names_in_single_braces_are_references() {
        for (text, expected) in [
            ("{Record}", "<Record>"),
            (
                "Use {Record}, then {Erase_2}.",
                "Use <Record>, then <Erase_2>.",
            ),
            ("{{Record}}", "{Record}"),
            ("a {{Record}} b", "a {Record} b"),
            ("{{{Record}}}", "{{Record}}"),
            ("{{Record}", "{<Record>"),
            ("{Record}}", "<Record>}"),
            (
                "{record} {} { Record } {Record ",
                "{record} {} { Record } {Record ",
            ),
            (
                r#"{"City": 1} {Äpfel} {A-B} {1A}"#,
                r#"{"City": 1} {Äpfel} {A-B} {1A}"#,
            ),
            ("{{record}} {{}} }}{{", "{{record}} {{}} }}{{"),
            ("{A}{B}", "<A><B>"),
            ("", ""),
        ] {
            assert_eq!(marked(text), expected, "{text}");
            assert_eq!(TextPieces::of(text).is_plain(), text == expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_whole_text_without_the_braces(text in "[{}Aa1_ö ]{0,12}") {
            let marked = marked(&text);
            let plain = |text: &str| text.replace(['{', '}', '<', '>'], "");
            prop_assert_eq!(plain(&marked), plain(&text));
        }

        #[test]
        fn an_escaped_reference_is_text(text in "[a-z ]{0,8}", name in "[A-Z][A-Za-z0-9_]{0,8}") {
            prop_assert_eq!(marked(&format!("{text}{{{{{name}}}}}")), format!("{text}{{{name}}}"));
        }
    }
}
