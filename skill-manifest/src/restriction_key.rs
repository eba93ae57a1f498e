//! Finds keys that restrict a document in text that is not parsed as keys.

use crate::FrontmatterField;
use unicode_normalization::UnicodeNormalization;

/// The keys of other clients that restrict a document. They count in every dialect, even if the dialect does not know them.
const FOREIGN: &[&str] = &["disallowed-tools"];

/// Returns whether a key restricts a document, in any spelling, such as upper case, in quotes, or with `_` for `-`.
pub(crate) fn is_restriction_key(key: &str) -> bool {
    let key = letters(key);
    let fields = FrontmatterField::ALL.iter();
    let own = fields
        .filter(|field| field.is_restriction())
        .map(|field| field.key());
    let mut known = own.chain(FOREIGN.iter().copied());
    !key.is_empty() && known.any(|known| letters(known) == key)
}

/// Returns whether a line has such a key at its beginning or in a flow mapping.
pub(crate) fn has_restriction_key(line: &str) -> bool {
    let is_flow = line.contains(['{', '[']);
    let mut entries = line.split(['{', '[', ',']).filter(|_| is_flow);
    begins_with_restriction(line) || entries.any(begins_with_restriction)
}

fn begins_with_restriction(text: &str) -> bool {
    // a tag's URI has colons
    let tag = text.trim_start().strip_prefix("!<");
    let text = tag
        .and_then(|tag| tag.split_once('>'))
        .map_or(text, |(_, rest)| rest);
    let key = match text.split_once([':', '\u{FF1A}', '=']) {
        Some((key, _)) => Some(key),
        // `? key`, whose value is on the next line
        None => text.trim_start().strip_prefix('?'),
    };
    let Some(key) = key else {
        return false;
    };
    // tags, anchors and item numbers are not part of the key
    let is_of_key =
        |word: &&str| !word.starts_with(['!', '&']) && word.contains(char::is_alphabetic);
    let words = key.split_whitespace().filter(is_of_key);
    is_restriction_key(&words.collect::<String>())
}

/// Returns the letters and digits of a text, in normal form and lower case.
fn letters(text: &str) -> String {
    let text = text.nfkc().flat_map(char::to_lowercase);
    text.filter(|c| c.is_alphanumeric()).collect()
}
