//! Texts that the other side wrote.

/// The maximum length of a text in bytes.
const MAX_BYTES: usize = 8 << 10;

/// Removes characters that control a terminal or hide text, and truncates the text.
pub(crate) fn cleaned(text: &str) -> String {
    let mut text: String = text.chars().filter(|c| is_shown(*c)).collect();
    if text.len() > MAX_BYTES {
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        text.push('…');
    }
    text
}

fn is_shown(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        // zero-width characters, marks of direction, tags
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => false,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => false,
        c => !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_and_has_no_characters_that_hide_others() {
        assert_eq!(
            cleaned("Reads\u{1b}[2J \u{202e}a file.\n"),
            "Reads[2J a file.\n"
        );
        let long = cleaned(&"é".repeat(MAX_BYTES));
        assert!(long.ends_with('…') && long.len() <= MAX_BYTES + 3);
    }
}
