//! Matches trigger words against a request, with case folding and with word boundaries in any script.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns the text in Unicode normalization form C, so that all spellings of `é` are equal.
pub(crate) fn normalize(text: &str) -> String {
    text.nfc().collect()
}

/// Folds the case of normalized text. Each character is folded separately, so a part of the text is folded to a part of the
/// folded text.
pub(crate) fn fold_case(text: &str) -> String {
    // the fold goes through upper case: `ß` and `ss` have the same upper case, and both lower-case forms of sigma have the same one
    let upper = text.chars().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).collect()
}

/// The characters that may come before and after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// For a trigger. `hello` occurs in `hello-world`.
    Word,
    /// For a candidate's id. `review` does not occur in `code-review`.
    Id,
}

/// Returns whether the range `start..end` of folded text has word boundaries at both ends.
///
/// Scripts without spaces between words, such as Han, have a boundary between any two characters. `c` occurs neither in `c++` nor
/// in `c#`, and `c++` occurs in `c++17` but not in `c+++`.
pub(crate) fn is_delimited(text: &str, start: usize, end: usize, boundary: Boundary) -> bool {
    let (before, after) = (&text[..start], &text[end..]);
    let inside = &text[start..end];
    let (Some(first), Some(last)) = (inside.chars().next(), inside.chars().next_back()) else {
        return false;
    };
    begins(before, first, boundary) && ends(last, after, inside, boundary)
}

fn begins(before: &str, first: char, boundary: Boundary) -> bool {
    let mut before = before.chars().rev();
    let Some(outside) = before.next() else {
        return true;
    };
    if is_combining_mark(first) {
        return false;
    }
    if boundary == Boundary::Id && is_hyphen(outside) && before.next().is_some_and(is_word) {
        return false;
    }
    if is_word(first) {
        return !joins(outside, first);
    }
    // `.net` does not occur in `example.net`; other symbols, such as `%`, have boundaries everywhere
    let is_repeated = outside == first && first.is_ascii();
    let is_dot_within = first == '.' && is_word(outside);
    !is_repeated && !is_dot_within
}

fn ends(last: char, after: &str, inside: &str, boundary: Boundary) -> bool {
    let mut rest = after.chars();
    let Some(outside) = rest.next() else {
        return true;
    };
    let next = rest.next();
    if is_combining_mark(outside) {
        // a variation selector does not turn a symbol into a different one
        return matches!(outside, '\u{FE0E}' | '\u{FE0F}') && !is_word(last);
    }
    if boundary == Boundary::Id && is_hyphen(outside) && next.is_some_and(is_word) {
        return false;
    }
    if is_word(last) {
        return !joins(last, outside) && !is_symbol_suffix(inside, after);
    }
    if matches!(last, '+' | '#') {
        // the digits of `c++17` do not form another word
        return outside != last && !outside.is_alphabetic();
    }
    outside != last || !last.is_ascii()
}

/// Returns whether a `+` or `#` after a single letter is part of the word rather than an operator, as in `c++`, `c++17` and `f#`.
fn is_symbol_suffix(inside: &str, after: &str) -> bool {
    let mut back = inside.chars().rev();
    let is_letter =
        back.next().is_some_and(char::is_alphabetic) && back.next().is_none_or(|c| !is_word(c));
    let rest = after.trim_start_matches(['+', '#']);
    let symbols = &after[..after.len() - rest.len()];
    let is_version = symbols != "+" && rest.starts_with(|c: char| c.is_ascii_digit());
    is_letter && !symbols.is_empty() && (is_version || !rest.starts_with(is_word))
}

/// Returns whether two adjacent characters belong to the same word.
fn joins(left: char, right: char) -> bool {
    is_word(left) && is_word(right) && !is_unspaced(left) && !is_unspaced(right)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '_')
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

/// Returns whether the character's script writes words without spaces, or joins words with particles.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'     // Thai, Lao
        | '\u{1000}'..='\u{109F}'   // Myanmar
        | '\u{1100}'..='\u{11FF}'   // Hangul
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{2E80}'..='\u{2FDF}'   // radicals
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{31FF}'   // Hiragana, Katakana, Bopomofo, Hangul
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' // Han
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' // Hangul
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FFDC}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether a word or phrase occurs in folded text.
pub(crate) fn occurs(word: &str, folded: &str, boundary: Boundary) -> bool {
    let word = fold_case(&normalize(word.trim()));
    let mut places = folded.match_indices(&word);
    places.any(|(at, found)| is_delimited(folded, at, at + found.len(), boundary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurs(word: &str, text: &str, boundary: Boundary) -> bool {
        super::occurs(word, &fold_case(&normalize(text)), boundary)
    }

    #[test]
    fn words_have_boundaries_in_every_script() {
        let cases = [
            ("hello", "Say HELLO!", true),
            ("hello", "hello-world", true),
            ("hello", "hello_world", false),
            ("run", "I'm a runner and like running", false),
            ("cat", "scathing", false),
            ("c++", "compile c++, please", true),
            ("c++", "a C++17 program", true),
            ("c++", "c+++", false),
            ("c", "c++ or C#", false),
            ("c", "a c program", true),
            ("a", "a+b", true),
            ("c", "a C++20 program", false),
            ("obj-c", "obj-c++", false),
            ("issue", "issue#12", true),
            ("%", "50%", true),
            ("🚀", "go🚀🚀", true),
            ("❤", "❤\u{FE0F}", true),
            (".net", "use .NET here", true),
            (".net", "example.net", false),
            (".net", "the .network", false),
            ("net", "a net", true),
            ("c#", "C#: yes", true),
            ("你好", "我说你好吗", true),
            ("AI", "使用AI工具", true),
            ("ai", "said", false),
            ("검색", "웹 검색을 해줘", true),
            ("cafe", "a cafe\u{301}", false),
            ("café", "a cafe\u{301}!", true),
            ("cafe\u{301}", "CAFÉ", true),
            ("strasse", "die Straße", true),
            ("ΣΑΣ", "σας", true),
            ("ก", "ก\u{E31}", false),
            ("naïve", "naive", false),
        ];
        for (word, text, expected) in cases {
            assert_eq!(
                occurs(word, text, Boundary::Word),
                expected,
                "{word} in {text}"
            );
        }
    }

    #[test]
    fn an_id_is_not_part_of_a_longer_id() {
        for (id, text, expected) in [
            ("review", "the code-review", false),
            ("code", "the code-review", false),
            ("code-review", "run code-review.", true),
            ("review", "review - now", true),
            ("review", "-review", true),
        ] {
            assert_eq!(occurs(id, text, Boundary::Id), expected, "{id} in {text}");
        }
    }
}
