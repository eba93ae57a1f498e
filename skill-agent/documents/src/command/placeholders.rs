//! Replaces a body's placeholders with the words after a slash command.

use super::shell_words::Word;
use crate::SkillDoc;
use skill_manifest::__private::ends_word;
use std::borrow::Cow;

const ALL: &str = "ARGUMENTS";

/// Returns a document's body for a model, or for a command without words. If the document has placeholders, `$ARGUMENTS` becomes
/// empty.
pub(crate) fn body_without_arguments(doc: SkillDoc) -> String {
    body(doc, "", &[])
}

/// Returns a document's body for a command, with its placeholders filled if it has any. `typed` is the text after the command, as
/// the person typed it.
pub(super) fn body(doc: SkillDoc, typed: &str, words: &[Word]) -> String {
    if doc.argument_placeholders {
        fill(&doc.body, typed, words).into_owned()
    } else {
        doc.body.into_owned()
    }
}

/// Replaces `$ARGUMENTS` with `typed`, and `$ARGUMENTS[N]` and `$N` with the word at index `N`, counted from 0. A placeholder
/// whose index is out of range stays, and inserted text is not searched for placeholders.
fn fill<'a>(body: &'a str, typed: &str, words: &[Word]) -> Cow<'a, str> {
    let mut filled = String::new();
    // the rest of the body that has not been copied yet
    let mut rest = body;
    let mut from = 0;
    while let Some(at) = rest[from..].find('$').map(|at| from + at) {
        from = at + 1;
        if let Some((value, length)) = placeholder(&rest[from..], typed, words) {
            filled.push_str(&rest[..at]);
            filled.push_str(value);
            rest = &rest[from + length..];
            from = 0;
        }
    }
    if rest.len() == body.len() {
        return Cow::Borrowed(body);
    }
    filled.push_str(rest);
    Cow::Owned(filled)
}

/// Returns the value of the placeholder that starts after a `$`, and the placeholder's length without the `$`.
fn placeholder<'a>(after: &str, typed: &'a str, words: &'a [Word]) -> Option<(&'a str, usize)> {
    let word = |index: &str| {
        let word = words.get(index.parse::<usize>().ok()?)?;
        Some(&*word.text)
    };
    let Some(after_name) = after.strip_prefix(ALL) else {
        let index = digits(after);
        return ends_word(&after[index.len()..]).then(|| Some((word(index)?, index.len())))?;
    };
    if let Some(after_bracket) = after_name.strip_prefix('[') {
        let index = digits(after_bracket);
        if !index.is_empty() && after_bracket[index.len()..].starts_with(']') {
            return Some((word(index)?, ALL.len() + index.len() + 2));
        }
    }
    ends_word(after_name).then_some((typed, ALL.len()))
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::super::shell_words::split;
    use super::*;

    #[test]
    fn placeholders_are_replaced_once() {
        let typed = r#"'two words' $ARGUMENTS $0 x"#;
        let words = split(typed).unwrap();
        for (body, expected) in [
            ("Fix $ARGUMENTS.", "Fix 'two words' $ARGUMENTS $0 x."),
            ("$0/$1/$2/$3", "two words/$ARGUMENTS/$0/x"),
            ("$ARGUMENTS[0]$ARGUMENTS[3]", "two wordsx"),
            (
                "$4 $ARGUMENTS[4] $99999999999999999999",
                "$4 $ARGUMENTS[4] $99999999999999999999",
            ),
            (
                "$ARGUMENTS[x] $ARGUMENTS[",
                "'two words' $ARGUMENTS $0 x[x] 'two words' $ARGUMENTS $0 x[",
            ),
            ("$$3 $3.50 ($3)", "$x x.50 (x)"),
            (
                "$3rd $3字 $ARGUMENTS_1 $ARGUMENTSS",
                "$3rd $3字 $ARGUMENTS_1 $ARGUMENTSS",
            ),
            (
                "$arguments $ARGUMENT ${ARGUMENTS} $",
                "$arguments $ARGUMENT ${ARGUMENTS} $",
            ),
            ("é$3é $", "é$3é $"),
            ("字 $3", "字 x"),
            ("", ""),
        ] {
            assert_eq!(fill(body, typed, &words), expected, "{body}");
        }
    }

    #[test]
    fn without_words_only_the_whole_text_is_empty() {
        assert_eq!(
            fill("a $ARGUMENTS b $0 $ARGUMENTS[0]", "", &[]),
            "a  b $0 $ARGUMENTS[0]"
        );
        assert!(matches!(fill("it costs $5", "", &[]), Cow::Borrowed(_)));
    }
}
