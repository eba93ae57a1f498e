//! The rules of spelling, one function per rule. `skill_core` checks skills that are written by hand with rules of its own.

use crate::errors::Errors;
use crate::messages;
use crate::parse::values::Text;

/// A text is not empty.
pub(super) fn not_empty(text: &Option<Text>, what: &str, errors: &mut Errors) {
    if let Some(text) = text
        && text.value.trim().is_empty()
    {
        report(messages::empty(what), text, errors);
    }
}

/// A name of a skill or agent: `[a-z][a-z0-9_-]*`, at most 64 bytes.
pub(super) fn name(text: &Text, what: &str, errors: &mut Errors) {
    let name = &text.value;
    if name.is_empty() {
        report(messages::empty_name(what), text, errors);
    } else if !is_name(name) {
        report(messages::bad_name(what, name), text, errors);
    }
}

pub(super) fn is_name(name: &str) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_lowercase());
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    first && name.len() <= 64 && name.chars().all(rest)
}

/// A state key: an ASCII identifier that is neither a keyword nor reserved.
pub(super) fn state_key(text: &Text, errors: &mut Errors) {
    let key = &text.value;
    let identifier = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let spelled = key.len() <= 64
        && key.chars().all(identifier)
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && !key.is_empty();
    if !spelled {
        report(messages::bad_state_key(key), text, errors);
    } else if is_reserved(key) {
        report(messages::reserved_state_key(key), text, errors);
    }
}

/// Keywords, `_`, and `skills`, the key for the state of skills that are mounted at run time.
pub(super) fn is_reserved(key: &str) -> bool {
    key == "skills" || syn::parse_str::<syn::Ident>(key).is_err()
}

/// A tool name: `[a-zA-Z0-9_-]{1,64}`.
pub(super) fn tool_name(text: &Text, errors: &mut Errors) {
    if text.value.is_empty() {
        report(messages::empty_name("a tool"), text, errors);
    } else if !is_tool_name(&text.value) {
        report(messages::bad_tool_name(&text.value), text, errors);
    }
}

pub(super) fn is_tool_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}

/// The JSON name of an argument: `[a-zA-Z0-9_.-]{1,64}`, which every model provider accepts.
pub(super) fn argument_name(text: &Text, errors: &mut Errors) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let name = &text.value;
    if name.is_empty() {
        report(messages::empty_name("an argument"), text, errors);
    } else if name.len() > 64 || !name.chars().all(allowed) {
        report(messages::bad_argument_name(name), text, errors);
    }
}

/// A text is listed once; both places are marked.
pub(super) fn texts_once(texts: &[Text], what: &str, errors: &mut Errors) {
    for (index, text) in texts.iter().enumerate() {
        if let Some(first) = texts[..index]
            .iter()
            .find(|first| first.value == text.value)
        {
            report(messages::listed_here(&text.value), first, errors);
            report(messages::listed_twice(what, &text.value), text, errors);
        }
    }
}

/// A semantic version.
pub(super) fn version(text: &Option<Text>, errors: &mut Errors) {
    if let Some(text) = text
        && let Err(why) = semver::Version::parse(&text.value)
    {
        report(messages::bad_version(&text.value, &why), text, errors);
    }
}

/// `name` or `name@requirement`.
pub(super) fn requirement(text: &Text, errors: &mut Errors) {
    let (required, wanted) = match text.value.split_once('@') {
        Some((required, wanted)) => (required, Some(wanted)),
        None => (&*text.value, None),
    };
    if !is_name(required) {
        let why = "the name of a skill has `a-z`, `0-9`, `_` and `-` only";
        report(messages::bad_requirement(&text.value, &why), text, errors);
    } else if let Some(wanted) = wanted
        && let Err(why) = semver::VersionReq::parse(wanted)
    {
        report(messages::bad_requirement(&text.value, &why), text, errors);
    }
}

/// A pattern over signal types: segments of `[a-zA-Z0-9_-]+`, `*` or `**`, separated by dots, without two `**` in a row.
pub(super) fn pattern(text: &Text, errors: &mut Errors) {
    if let Err(why) = check_pattern(&text.value) {
        report(messages::bad_pattern(&text.value, why), text, errors);
    }
}

fn check_pattern(pattern: &str) -> Result<(), &'static str> {
    let mut previous = "";
    for segment in pattern.split('.') {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if segment.is_empty() {
            return Err("a segment is empty");
        }
        if segment.contains('*') && segment != "*" && segment != "**" {
            return Err("`*` and `**` stand for whole segments");
        }
        if !segment.contains('*') && !segment.chars().all(allowed) {
            return Err("a segment has letters, digits, `_` and `-` only");
        }
        if segment == "**" && previous == "**" {
            return Err("`**` twice in a row means the same as once");
        }
        previous = segment;
    }
    Ok(())
}

/// A regular expression compiles.
pub(super) fn regex(text: &Text, errors: &mut Errors) {
    if let Err(why) = regex_lite::Regex::new(&text.value) {
        report(messages::bad_regex(&why), text, errors);
    }
}

pub(super) fn report(message: String, at: &Text, errors: &mut Errors) {
    errors.report_at(message, at.span);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of cases that the tests of `skill-core` use too.
    const CASES: &str = include_str!("../../../tests/grammar/cases.txt");

    #[test]
    fn every_case_is_judged_as_in_the_table() {
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.splitn(3, ' ');
            let (rule, verdict) = (parts.next().unwrap(), parts.next().unwrap());
            let text = Text {
                value: parts.next().unwrap().to_owned(),
                span: proc_macro2::Span::mixed_site(),
            };
            let mut errors = Errors::default();
            match rule {
                "name" => name(&text, "a skill", &mut errors),
                "state_key" => state_key(&text, &mut errors),
                "tool_name" => tool_name(&text, &mut errors),
                "version" => version(&Some(text), &mut errors),
                "pattern" => pattern(&text, &mut errors),
                other => panic!("no such rule: {other}"),
            }
            assert_eq!(errors.finish().is_none(), verdict == "ok", "{line}");
        }
    }
}
