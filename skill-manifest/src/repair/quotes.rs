//! Finds the intended text of a value with wrong quotes.

/// Returns the intended string of a value that begins with a quote but is quoted wrongly, or `None` if the end of the string is
/// unclear. Quotes around the whole value are dropped. Backslashes are kept, because an author who intends escapes writes valid
/// ones.
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

/// Returns the text between double quotes as written, for a value whose backslashes are not intended as escapes.
pub(crate) fn literal(inner: &str) -> String {
    inner.replace(escaped('"'), "\"")
}

const fn escaped(quote: char) -> &'static str {
    if quote == '"' { "\\\"" } else { "''" }
}

const fn quote_of(quote: char) -> &'static str {
    if quote == '"' { "\"" } else { "'" }
}

/// Returns whether the first quote within a value closes the quote before it, as in `"a" or "b"`. In `"say "a" now"`, the quote
/// opens another quotation, and in `'it's'`, it is an apostrophe.
fn ends_a_word(inner: &str, quote: char) -> bool {
    let inner = inner.replace(escaped(quote), "");
    let is_even = inner.matches(quote).count().is_multiple_of(2);
    let before = inner
        .split_once(quote)
        .and_then(|(before, _)| before.chars().last());
    is_even && before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '[' | '{'))
}

/// Puts a string in single quotes. Only the quote itself needs escaping.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
