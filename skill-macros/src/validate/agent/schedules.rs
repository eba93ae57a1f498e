//! The rules for declared schedules. `skill_core` checks the intervals in const evaluation, and the server reads cron expressions.

use super::super::{grammar, report};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::ScheduleEntry;
use proc_macro2::Ident;
use std::collections::BTreeMap;
use syn::Expr;

/// A declared schedule.
pub(crate) struct Schedule {
    pub(crate) name: String,
    pub(crate) repeat: Expr,
    pub(crate) signal: String,
}

/// Each schedule must have its own name, and send a signal of a valid type.
pub(super) fn schedules(entries: Vec<ScheduleEntry>, errors: &mut Errors) -> Vec<Schedule> {
    let mut seen: BTreeMap<String, Ident> = BTreeMap::new();
    let mut list = Vec::new();
    for entry in entries {
        let name = names::plain(&entry.ident);
        if let Some(first) = seen.get(&name) {
            report(messages::listed_here(&name), first, errors);
            report(messages::schedule_twice(&name), &entry.ident, errors);
        }
        grammar::signal_type(&entry.signal, errors);
        seen.entry(name.clone()).or_insert(entry.ident);
        list.push(Schedule {
            name,
            repeat: entry.repeat,
            signal: entry.signal.value,
        });
    }
    list
}
