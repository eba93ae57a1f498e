//! The terms of a text: its words without endings, and pairs of characters in scripts without spaces.

use super::words::{fold_case, is_unspaced, is_word, normalize};

/// Returns the terms of a text in order, without words that say nothing about its subject.
pub(super) fn terms(text: &str) -> Vec<String> {
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

/// Adds each pair of adjacent characters, or the only character.
fn push_pairs(run: &str, terms: &mut Vec<String>) {
    let chars: Vec<char> = run.chars().collect();
    if let [only] = chars[..] {
        terms.push(only.to_string());
    }
    terms.extend(chars.windows(2).map(|pair| pair.iter().collect()));
}

/// Removes English endings of inflection. Equal words stay equal, and most forms of one word become equal; it need not be a
/// word.
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

/// `planning` and `plan` have one stem.
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

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Words of grammar, courtesy and requests, in order.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "agent",
    "agents",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "around",
    "as",
    "ask",
    "assistant",
    "at",
    "available",
    "away",
    "back",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "best",
    "better",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "check",
    "come",
    "could",
    "current",
    "currently",
    "d",
    "did",
    "different",
    "do",
    "does",
    "doing",
    "don",
    "done",
    "down",
    "each",
    "easily",
    "else",
    "etc",
    "even",
    "ever",
    "every",
    "everything",
    "few",
    "find",
    "first",
    "following",
    "for",
    "from",
    "full",
    "get",
    "getting",
    "give",
    "given",
    "go",
    "going",
    "good",
    "got",
    "great",
    "had",
    "happen",
    "has",
    "have",
    "having",
    "he",
    "hello",
    "help",
    "helpful",
    "her",
    "here",
    "hey",
    "hi",
    "him",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "including",
    "information",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "keep",
    "kind",
    "know",
    "last",
    "later",
    "least",
    "less",
    "let",
    "like",
    "list",
    "ll",
    "look",
    "lot",
    "m",
    "made",
    "make",
    "makes",
    "making",
    "many",
    "may",
    "maybe",
    "me",
    "mean",
    "means",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "need",
    "needed",
    "needs",
    "never",
    "new",
    "next",
    "no",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "often",
    "ok",
    "on",
    "once",
    "one",
    "only",
    "onto",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "part",
    "people",
    "please",
    "possible",
    "provide",
    "provides",
    "put",
    "quick",
    "quickly",
    "quite",
    "ran",
    "re",
    "really",
    "right",
    "run",
    "s",
    "same",
    "say",
    "see",
    "several",
    "shall",
    "she",
    "should",
    "show",
    "skill",
    "skills",
    "so",
    "some",
    "someone",
    "something",
    "soon",
    "specific",
    "still",
    "such",
    "sure",
    "t",
    "take",
    "task",
    "tell",
    "than",
    "thank",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "think",
    "this",
    "those",
    "though",
    "through",
    "time",
    "to",
    "today",
    "together",
    "too",
    "took",
    "tool",
    "tools",
    "try",
    "trying",
    "two",
    "under",
    "until",
    "up",
    "upon",
    "us",
    "use",
    "used",
    "useful",
    "user",
    "users",
    "using",
    "various",
    "ve",
    "very",
    "via",
    "wanna",
    "want",
    "was",
    "way",
    "we",
    "well",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "within",
    "without",
    "won",
    "work",
    "working",
    "would",
    "yes",
    "yet",
    "you",
    "your",
    "yourself",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted_by(|a, b| a < b));
    }
}
