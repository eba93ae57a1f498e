//! The spelling rules, one function per rule. `skill_agent_grammar` implements them, and this file reports mistakes at the user's
//! tokens.

use crate::errors::Errors;
use crate::messages;
use crate::parse::values::Text;
use skill_agent_grammar::{
    PatternFault, check_requirement, check_version, is_argument_name, pattern_fault, split,
};
pub(super) use skill_agent_grammar::{is_name, is_reserved_state_key, is_tool_name};

/// A string must not be empty.
pub(super) fn not_empty(text: &Option<Text>, what: &str, errors: &mut Errors) {
    if let Some(text) = text
        && text.value.trim().is_empty()
    {
        report(messages::empty(what), text, errors);
    }
}

/// The name of a skill or an agent must be `[a-z][a-z0-9_-]*`, with at most 64 bytes.
pub(super) fn name(text: &Text, what: &str, errors: &mut Errors) {
    let name = &text.value;
    if name.is_empty() {
        report(messages::empty_name(what), text, errors);
    } else if !is_name(name) {
        report(messages::bad_name(what, name), text, errors);
    }
}

/// A state key must be an ASCII identifier that is neither a keyword nor reserved.
pub(super) fn state_key(text: &Text, errors: &mut Errors) {
    let key = &text.value;
    if !skill_agent_grammar::is_state_key(key) {
        report(messages::bad_state_key(key), text, errors);
    } else if is_reserved_state_key(key) {
        report(messages::reserved_state_key(key), text, errors);
    }
}

/// A tool's name must be `[a-zA-Z0-9_-]{1,64}`.
pub(super) fn tool_name(text: &Text, errors: &mut Errors) {
    if text.value.is_empty() {
        report(messages::empty_name("a tool"), text, errors);
    } else if !is_tool_name(&text.value) {
        report(messages::bad_tool_name(&text.value), text, errors);
    }
}

/// An argument's JSON name must be `[a-zA-Z0-9_.-]{1,64}`, which every provider accepts.
pub(super) fn argument_name(text: &Text, errors: &mut Errors) {
    let name = &text.value;
    if name.is_empty() {
        report(messages::empty_name("an argument"), text, errors);
    } else if !is_argument_name(name) {
        report(messages::bad_argument_name(name), text, errors);
    }
}

/// A string must be listed once. Both places are marked.
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

/// A version must be a semantic version.
pub(super) fn version(text: Option<&Text>, errors: &mut Errors) {
    if let Some(text) = text
        && let Err(why) = check_version(&text.value)
    {
        report(messages::bad_version(&text.value, &why), text, errors);
    }
}

/// A requirement must be `name` or `name@requirement`.
pub(super) fn requirement(text: &Text, errors: &mut Errors) {
    let (required, wanted) = split(&text.value);
    if !is_name(required) {
        let why = "the name of a skill has `a-z`, `0-9`, `_` and `-` only";
        report(messages::bad_requirement(&text.value, &why), text, errors);
    } else if let Some(wanted) = wanted
        && let Err(why) = check_requirement(wanted)
    {
        report(messages::bad_requirement(&text.value, &why), text, errors);
    }
}

/// A pattern over signal types must consist of segments of `[a-zA-Z0-9_-]+`, `*` or `**`, separated by dots, without two `**` in
/// a row.
pub(super) fn pattern(text: &Text, errors: &mut Errors) {
    let Some((fault, _)) = pattern_fault(&text.value) else {
        return;
    };
    let why = match fault {
        PatternFault::Empty => "a segment is empty",
        PatternFault::Character => "a segment has letters, digits, `_` and `-` only",
        PatternFault::PartOfSegment => "`*` and `**` stand for whole segments",
        PatternFault::ManyTwice => "`**` twice in a row means the same as once",
    };
    report(messages::bad_pattern(&text.value, why), text, errors);
}

/// The type of a signal must be a pattern without `*`.
pub(super) fn signal_type(text: &Text, errors: &mut Errors) {
    if !skill_agent_grammar::is_signal_type(&text.value) {
        report(messages::bad_signal_type(&text.value), text, errors);
    }
}

/// A regular expression must compile.
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

    /// The test table that `skill-agent-grammar` uses as well.
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
                "version" => version(Some(&text), &mut errors),
                "pattern" => pattern(&text, &mut errors),
                other => panic!("no such rule: {other}"),
            }
            assert_eq!(errors.finish().is_none(), verdict == "ok", "{line}");
        }
    }

    #[test]
    fn a_state_key_is_reserved_if_syn_takes_it_for_no_identifier() {
        let words = "_ Self abstract as async auto await become box break const continue crate do dyn else enum extern false \
                     final fn for gen if impl in let loop macro match mod move mut override priv pub raw ref return safe self \
                     static struct super trait true try type typeof union unsafe unsized use virtual where while yield Type a";
        for word in words.split_whitespace() {
            let is_identifier = syn::parse_str::<syn::Ident>(word).is_ok();
            assert_eq!(is_reserved_state_key(word), !is_identifier, "{word}");
        }
        assert!(is_reserved_state_key("skills"));
    }
}
