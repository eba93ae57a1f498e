//! The intended text of a value with wrong quotes.

/// Returns the string that a value with wrong quotes stands for, which begins with a quote; `None` if it is not clear where the
/// string ends. Quotes around the whole value are not part of it. Backslashes are: an author who means escapes writes valid ones.
pub(super) fn meant(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let rest = &text[1..];
    if !rest.contains(quote) {
        // an apostrophe, as in `'tis`
        let is_apostrophe = quote == '\'' && rest.starts_with(char::is_alphanumeric);
        return (is_apostrophe && !rest.contains(['\n', '\r'])).then(|| text.to_owned());
    }
    match rest.strip_suffix(quote) {
        Some(inner) if !ends_a_word(inner, quote) => {
            Some(inner.replace(escaped(quote), quote_of(quote)))
        }
        _ => Some(text.to_owned()),
    }
}

/// Returns the text between double quotes as it is written, for a value with backslashes that are not meant as escapes.
pub(crate) fn literal(inner: &str) -> String {
    inner.replace(escaped('"'), "\"")
}

const fn escaped(quote: char) -> &'static str {
    if quote == '"' { "\\\"" } else { "''" }
}

const fn quote_of(quote: char) -> &'static str {
    if quote == '"' { "\"" } else { "'" }
}

/// Whether the first quote within a value ends what the quote before it began, as in `"a" or "b"`. In `"say "a" now"` it begins
/// something, and in `'it's'` it is alone.
fn ends_a_word(inner: &str, quote: char) -> bool {
    let inner = inner.replace(escaped(quote), "");
    let is_even = inner.matches(quote).count().is_multiple_of(2);
    let before = inner
        .split_once(quote)
        .and_then(|(before, _)| before.chars().last());
    is_even && before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '[' | '{'))
}

/// Puts a string in single quotes, in which only the quote itself means something.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
