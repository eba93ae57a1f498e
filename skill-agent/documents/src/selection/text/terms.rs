//! Splits text into terms: words without endings or, in scripts without spaces, pairs of characters.

use crate::selection::text::stop_words::is_stop_word;
use crate::selection::text::words::{fold_case, is_unspaced, is_word, normalize};

/// Returns the terms of `text` in order, without stop words.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let text = fold_case(&normalize(text));
    let mut terms = Vec::new();
    for word in text.split(|c: char| !is_word(c) && !matches!(c, '+' | '#')) {
        for part in word.split('_') {
            push_word(part, &mut terms);
        }
    }
    terms
}

fn push_word(word: &str, terms: &mut Vec<String>) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest
            .find(|c| is_unspaced(c) != unspaced)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        if unspaced {
            push_pairs(run, terms);
        } else {
            let stem = stem(run);
            if stem.chars().nth(1).is_some() && !is_stop_word(run) && !is_stop_word(stem) {
                terms.push(stem.to_owned());
            }
        }
    }
}

/// Adds each pair of adjacent characters, or the character itself if there is only one.
fn push_pairs(run: &str, terms: &mut Vec<String>) {
    let chars: Vec<char> = run.chars().collect();
    if let [only] = chars[..] {
        terms.push(only.to_string());
    }
    terms.extend(chars.windows(2).map(|pair| pair.iter().collect()));
}

/// Removes English inflectional endings. Most forms of a word then become equal. The result need not be a word.
fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    let word = word.strip_suffix("'s").unwrap_or(word);
    const ENDINGS: &[&str] = &[
        "ations", "ation", "ings", "ing", "ies", "ied", "ers", "ors", "ions", "ion", "es", "ed",
        "er", "or", "ly", "s", "e", "y",
    ];
    for ending in ENDINGS {
        if let Some(stem) = word.strip_suffix(ending) {
            let is_plural_of_s = *ending == "s" && stem.ends_with('s');
            if stem.len() >= 3 && !is_plural_of_s {
                return undouble(stem);
            }
        }
    }
    word
}

/// Removes a doubled final consonant, so that `planning` and `plan` have the same stem.
fn undouble(stem: &str) -> &str {
    let bytes = stem.as_bytes();
    match bytes {
        [.., a, b]
            if a == b && bytes.len() > 3 && !matches!(b, b'l' | b's' | b'z' | b'e' | b'o') =>
        {
            &stem[..stem.len() - 1]
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_term_and_words_of_grammar_none() {
        assert_eq!(
            terms("Planning a plan, with plans planned"),
            ["plan", "plan", "plan", "plan"]
        );
        assert_eq!(terms("Can you please help me?"), [] as [&str; 0]);
        assert_eq!(terms("the API's pages"), ["api", "pag"]);
        assert_eq!(
            terms("snake_case 天气预报"),
            ["snak", "cas", "天气", "气预", "预报"]
        );
        assert_eq!(terms("class and classes"), ["class", "class"]);
    }
}
