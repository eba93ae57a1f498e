//! Texts that the other side wrote.

use skill_agent_documents::__private::is_invisible_after;

/// The maximum length of a text in bytes.
const MAX_BYTES: usize = 8 << 10;

/// Removes characters that control a terminal or hide text, and truncates the text.
pub(crate) fn cleaned(text: &str) -> String {
    let mut before = None;
    // a carriage return would let a text overwrite its line
    let is_shown = |&c: &char| !is_invisible_after(before.replace(c), c) && c != '\r';
    let mut text: String = text.chars().filter(is_shown).collect();
    if text.len() > MAX_BYTES {
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        text.push('…');
    }
    text
}

/// Returns the end of an error with a challenge, which may be empty.
pub(crate) fn ending(challenge: &str) -> String {
    if challenge.is_empty() {
        return String::new();
    }
    format!(": {}", cleaned(&without_paths(challenge)))
}

/// Shortens the URLs in a text to their servers, because a path may contain a key.
pub(crate) fn without_paths(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "\"<>`".contains(c);
    let mut shown = String::new();
    for part in text.split_inclusive(is_end) {
        let Some((before, rest)) = part.split_once("://") else {
            shown.push_str(part);
            continue;
        };
        let (url, end) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        let (server, path) = url.split_at(url.find(['/', '\\', '?', '#']).unwrap_or(url.len()));
        let server = server.rsplit('@').next().unwrap_or_default();
        let path = if path.len() > 1 { "/…" } else { path };
        shown.extend([before, "://", server, path, end]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_in_a_text_lose_all_but_their_servers() {
        for (text, expected) in [
            ("no URL: a/b", "no URL: a/b"),
            ("https://a.example is down", "https://a.example is down"),
            (
                "at \"https://ann:key@a.example:1/key\", or",
                "at \"https://a.example:1/…\", or",
            ),
            (
                "<http://a.example?key> `http://b.example/key`",
                "<http://a.example/…> `http://b.example/…`",
            ),
            (
                "url=http://a.example/,http://b.example/key",
                "url=http://a.example/…",
            ),
        ] {
            assert_eq!(without_paths(text), expected);
        }
    }

    #[test]
    fn a_text_is_cut_and_has_no_characters_that_hide_others() {
        assert_eq!(
            cleaned("Reads\u{1b}[2J \u{202e}a\u{e0101}\u{3164} file \u{1f469}\u{200d}\u{1f680}.\n"),
            "Reads[2J a file \u{1f469}\u{200d}\u{1f680}.\n"
        );
        let long = cleaned(&"é".repeat(MAX_BYTES));
        assert!(long.ends_with('…') && long.len() <= MAX_BYTES + 3);
    }
}
