//! The rules for `forbid` and `allow_data_flow`. Checks in const evaluation, in `skill_core`, check the actions.

use super::super::{grammar, report};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::AllowDataFlow;
use proc_macro2::Ident;
use std::collections::BTreeMap;

/// The hints that an agent can forbid, with the corresponding variants of `Hint`.
const HINTS: &[(&str, &str)] = &[
    ("destructive", "Destructive"),
    ("open_world", "OpenWorld"),
    ("reads_sensitive", "ReadsSensitive"),
    ("reads_untrusted", "ReadsUntrusted"),
    ("sends_out", "SendsOut"),
];

/// The hints that are promises. Forbidding such a hint makes no sense.
const PROMISES: &[&str] = &["read_only", "idempotent"];

/// Only harmful hints can be forbidden, and each only once. Returns the variants of `Hint`.
pub(super) fn forbid(words: Vec<Ident>, errors: &mut Errors) -> Vec<&'static str> {
    let known: Vec<&str> = HINTS.iter().map(|(name, _)| *name).collect();
    let mut seen: BTreeMap<String, Ident> = BTreeMap::new();
    let mut hints = Vec::new();
    for word in words {
        let name = names::plain(&word);
        if let Some(first) = seen.get(&name) {
            report(messages::repeated_here(&name), first, errors);
            report(messages::repeated(&name), &word, errors);
        } else if let Some((_, hint)) = HINTS.iter().find(|(known, _)| *known == name) {
            hints.push(*hint);
        } else if PROMISES.contains(&&*name) {
            report(messages::promise_forbidden(&name, &known), &word, errors);
        } else {
            report(messages::unknown_hint(&name, &known), &word, errors);
        }
        seen.entry(name).or_insert(word);
    }
    hints
}

/// The reason must not be empty.
pub(super) fn allow_data_flow(
    written: Option<AllowDataFlow>,
    errors: &mut Errors,
) -> Option<AllowDataFlow> {
    let reason = written.as_ref().map(|allow| allow.reason.clone());
    grammar::not_empty(&reason, "the reason of `allow_data_flow`", errors);
    written
}
