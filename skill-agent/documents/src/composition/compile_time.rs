//! Reports broken rules at compile time, at the entry's token.

use super::documents::{ListedDocs, count_docs};
use super::input::CheckInput;
use super::lookup::Lookup;
use super::messages::{CheckFinding, finding, reserved_tool};
use super::rules::{CheckedDocs, RULES};
use skill_core::__private::ConstMessage;

/// The maximum number of documents to report per entry. More documents are only counted.
const MAX: usize = 10;
/// The maximum number of documents that get suggestions, because finding suggestions takes more time than all other checks.
const MAX_SUGGESTED: usize = 3;
/// The length of the message after which no more documents are reported, because the const buffer would truncate the message.
const MAX_LENGTH: usize = 3_000;

/// Panics in const evaluation if a document of the entry breaks a rule. `agent!` calls this at the entry's token.
#[track_caller]
pub const fn report_entry<const N: usize, const ROOM: usize>(
    listed: &[ListedDocs<'_>],
    input: &CheckInput<'_>,
    checked: &CheckedDocs<N, ROOM>,
    entry: usize,
) {
    if checked.is_clean || has_placeholder_skills(input) {
        return;
    }
    let mut lookup = Lookup::new(input, checked.tables.as_flattened());
    let (before, after) = listed.split_at(entry);
    let mut index = count_docs(before);
    let end = index + after[0].docs.len();
    let mut text = ConstMessage::new();
    let (mut reported, mut more) = (0, 0);
    while index < end {
        let broken = &checked.broken[index];
        let is_reported = reported < MAX && text.as_str().len() < MAX_LENGTH;
        if broken.rules != 0 {
            reported += is_reported as usize;
            more += !is_reported as usize;
        }
        lookup.with_suggestions = reported <= MAX_SUGGESTED;
        let mut r = 0;
        while is_reported && r < RULES.len() {
            if broken.rules & RULES[r] != 0 {
                text = append(text, &finding(&lookup, broken, index, RULES[r]));
            }
            r += 1;
        }
        index += 1;
    }
    if more > 0 {
        text = number(text.push(&["; and "]), more).push(&[" more documents do not fit either"]);
    }
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Panics if an agent that offers documents has an action with the name of a document tool. `agent!` calls this at the value of
/// `allow_skills`.
#[track_caller]
pub const fn report_allow_skills(input: &CheckInput<'_>) {
    if let Some(reported) = reserved_tool(input) {
        panic!("{}", append(ConstMessage::new(), &reported).as_str());
    }
}

const fn append(text: ConstMessage, reported: &CheckFinding) -> ConstMessage {
    let (what, help) = (reported.what.as_str(), reported.help.as_str());
    text.also("{}; {} [{}]", &[what, help, reported.code.as_str()])
}

const fn number(text: ConstMessage, number: usize) -> ConstMessage {
    let digit = "0123456789".split_at(number % 10).1.split_at(1).0;
    match number / 10 {
        0 => text.push(&[digit]),
        rest => self::number(text, rest).push(&[digit]),
    }
}

/// Returns whether a skill is a placeholder without actions. A placeholder stands for a skill with errors that are reported
/// elsewhere.
const fn has_placeholder_skills(input: &CheckInput<'_>) -> bool {
    let mut s = 0;
    while let Some(skill) = input.skill_of_name(s) {
        if skill.__is_stub() {
            return true;
        }
        s += 1;
    }
    false
}
