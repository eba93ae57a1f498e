//! Finds invisible characters, and makes them visible in messages.

use std::borrow::Cow;

/// The maximum number of characters of a message.
const MAX_LENGTH: usize = 1_024;

/// Returns whether a character is invisible. These are the characters that Unicode lets a font omit
/// (`Default_Ignorable_Code_Point`: fillers, selectors, tags, joiners and direction marks), annotation marks, and control
/// characters other than line ends and tabs.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\r' | '\t' => false,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' => {
            true
        }
        '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' => true,
        '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' => true,
        '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}' => true,
        c => c.is_control(),
    }
}

/// Returns whether a character is a line end or a tab.
#[must_use]
pub const fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}')
}

/// Returns whether a character looks like a space but is not one: another Unicode space, or a symbol that is blank.
#[must_use]
pub(crate) fn resembles_space(c: char) -> bool {
    // a blank braille pattern, an empty note head, one Khitan filler and two hieroglyph fillers
    let is_empty_sign = matches!(
        c,
        '\u{2800}' | '\u{1D159}' | '\u{16FE4}' | '\u{13441}' | '\u{13442}'
    );
    is_empty_sign || (c != ' ' && c.is_whitespace())
}

/// Returns whether a character is visible and fits in one line, as every character of a name must.
#[must_use]
pub fn is_visible(c: char) -> bool {
    !is_invisible(c) && !breaks_line(c)
}

/// Returns whether a character of prose is invisible after the character `before`. A selector or a joiner is not invisible after
/// an emoji, or after a sign of a script that joins letters.
#[must_use]
pub fn is_invisible_after(before: Option<char>, c: char) -> bool {
    let joins = match (before, c) {
        (Some('#' | '*' | '0'..='9'), '\u{FE0F}') | (Some('\u{FE0F}'), '\u{200D}') => true,
        (Some(before), '\u{FE0F}' | '\u{200D}') => is_sign(before),
        _ => false,
    };
    is_invisible(c) && !joins
}

/// Returns whether a character may be an emoji or a sign that joins letters. Unicode classifies only a few emoji as letters.
fn is_sign(c: char) -> bool {
    let is_emoji = matches!(c, '\u{2139}' | '\u{24C2}' | '\u{1F170}'..='\u{1F17F}');
    is_emoji || !(c.is_ascii() || c.is_alphanumeric() || c.is_whitespace() || is_invisible(c))
}

/// Returns the first invisible character in prose.
pub(crate) fn first_invisible(text: &str) -> Option<char> {
    // fast path for plain ASCII
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return None;
    }
    let mut before = None;
    text.chars()
        .find(|&c| is_invisible_after(before.replace(c), c))
}

/// Returns the text in one line, with invisible characters escaped. `\` is unchanged, so escaping twice has no further effect.
#[must_use]
pub fn escape_invisible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_visible(c) {
            spelled.push(c)
        } else {
            spelled.extend(c.escape_default())
        }
    }
    Cow::Owned(spelled)
}

/// Prepares a message for display: escapes it, and cuts out the middle if it is too long. Both ends are kept, because a quoted
/// part may be as long as a document and has our own words before and after it.
#[must_use]
pub fn sanitize_message(message: String) -> String {
    let message = match escape_invisible(&message) {
        Cow::Borrowed(_) => message,
        Cow::Owned(spelled) => spelled,
    };
    if message.len() <= MAX_LENGTH {
        return message;
    }
    let length = message.chars().count();
    if length <= MAX_LENGTH {
        return message;
    }
    let end = MAX_LENGTH / 2;
    let begin = MAX_LENGTH - 1 - end;
    let mut cut: String = message.chars().take(begin).collect();
    cut.push('…');
    cut.extend(message.chars().skip(length - end));
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_may_contain_joiners() {
        for text in [
            "\u{2764}\u{FE0F}",
            "1\u{FE0F}\u{20E3}",
            "\u{2139}\u{FE0F}",
            "\u{1F468}\u{200D}\u{1F469}",
            "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
            // a Sinhala letter with its joining sign
            "\u{0D9A}\u{0DCA}\u{200D}\u{0DBB}",
        ] {
            assert_eq!(first_invisible(text), None, "{text:?}");
        }
        for (text, c) in [
            ("a\u{FE0F}", '\u{FE0F}'),
            ("\u{FE0F}", '\u{FE0F}'),
            (" \u{200D}", '\u{200D}'),
            ("1\u{200D}", '\u{200D}'),
            ("\u{2764}\u{FE0F}\u{FE0F}", '\u{FE0F}'),
            ("\u{2764}\u{200D}\u{200D}", '\u{200D}'),
            ("\u{2764}\u{200B}", '\u{200B}'),
        ] {
            assert_eq!(first_invisible(text), Some(c), "{text:?}");
        }
    }

    #[test]
    fn a_message_is_escaped_once_and_keeps_both_ends() {
        let once = sanitize_message("the name `a\n\u{202E}\u{3164}\u{2028}` \\s".to_owned());
        assert_eq!(once, "the name `a\\n\\u{202e}\\u{3164}\\u{2028}` \\s");
        assert_eq!(sanitize_message(once.clone()), once);
        let long = sanitize_message(format!("the name `{}` is long", "字".repeat(70_000)));
        assert_eq!(long.chars().count(), MAX_LENGTH);
        assert!(long.starts_with("the name `字") && long.ends_with("字` is long"));
        assert!(long.contains("字…字"));
        assert_eq!(sanitize_message(long.clone()), long);
        let fits = "字".repeat(MAX_LENGTH);
        assert_eq!(sanitize_message(fits.clone()), fits);
    }
}
