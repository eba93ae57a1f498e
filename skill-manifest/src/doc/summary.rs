//! Extracts the first sentence of text as a one-line summary.

/// The maximum number of characters in a summary. A longer sentence is cut after a word.
const MAX_LENGTH: usize = 80;

/// Abbreviations whose dot does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "vs", "cf", "approx", "ca", "incl", "excl", "no", "nos", "fig", "dr",
    "mr", "mrs", "ms", "st", "inc", "ltd", "al",
];

/// Returns the first sentence in one line of at most 80 characters, without its full stop.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let paragraph = text.trim_start().split("\n\n").next().unwrap_or_default();
    let mut words = paragraph.split_whitespace().peekable();
    let mut sentence = String::new();
    while let Some(word) = words.next() {
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        if ends_sentence(word, words.peek().copied()) {
            break;
        }
    }
    let sentence = match sentence.split_once('。') {
        Some((first, _)) => first,
        None => sentence.strip_suffix('.').unwrap_or(&sentence),
    };
    shortened(sentence)
}

fn ends_sentence(word: &str, next: Option<&str>) -> bool {
    let bare = word.trim_end_matches(['"', '\'', ')', ']', '”', '’']);
    if bare.ends_with(['!', '?']) {
        return true;
    }
    let Some(stem) = bare.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(['(', '[', '"', '\'', '“', '‘']);
    let Some(next) = next else {
        return true;
    };
    // `etc.` ends a sentence if a capital letter follows; the other abbreviations never do
    let goes_on = next.starts_with(char::is_lowercase);
    let known = ABBREVIATIONS
        .iter()
        .any(|abbreviation| abbreviation.eq_ignore_ascii_case(stem));
    // initials, such as the `J.` of a name or `U.S.`
    let initials = stem.chars().nth(1).is_none_or(|second| second == '.')
        && stem.starts_with(char::is_uppercase);
    !goes_on && !known && !initials
}

fn shortened(sentence: &str) -> String {
    if sentence.chars().count() <= MAX_LENGTH {
        return sentence.to_owned();
    }
    let room = sentence.char_indices().nth(MAX_LENGTH - 3);
    let head = &sentence[..room.map_or(sentence.len(), |(at, _)| at)];
    let head = head.rsplit_once(' ').map_or(head, |(head, _)| head);
    format!("{}...", head.trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_dot_within_a_word_or_after_an_abbreviation_does_not_end_a_sentence() {
        let cases = [
            (
                "Supports v1.2 of the API. More.",
                "Supports v1.2 of the API",
            ),
            (
                "Reads tables, e.g. CSV. Writes none.",
                "Reads tables, e.g. CSV",
            ),
            ("Uses parsers (e.g. Nom). More.", "Uses parsers (e.g. Nom)"),
            (
                "Sees https://x.y/z and goes. Ends.",
                "Sees https://x.y/z and goes",
            ),
            ("For the U.S. Government. More.", "For the U.S. Government"),
            ("Files, folders, etc. Then more.", "Files, folders, etc"),
            ("Files, etc. and more. Then.", "Files, etc. and more"),
            ("Ready? Yes.", "Ready?"),
            ("one\ntwo\n\nthree", "one two"),
            ("读取文件。然后写。", "读取文件"),
            ("no end", "no end"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(first_sentence(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_sentence_is_cut_at_a_word() {
        let long = first_sentence(&"word ".repeat(40));
        assert!(
            long.ends_with("word...") && long.chars().count() <= 80,
            "{long}"
        );
        assert_eq!(
            first_sentence(&"x".repeat(100)),
            format!("{}...", "x".repeat(77))
        );
        assert_eq!(
            first_sentence(&"字".repeat(100)),
            format!("{}...", "字".repeat(77))
        );
    }
}
