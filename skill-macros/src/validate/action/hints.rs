//! The rules for routes and hints.

use super::super::{grammar, report, report_at};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ActionOptions;
use crate::parse::values::Text;
use quote::ToTokens;
use syn::Expr;

/// A valid route.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) pattern: String,
    pub(crate) priority: i8,
    pub(crate) lenient: bool,
}

/// A route must have a pattern and a priority from -100 to 100. No two routes of an action may have the same pattern and
/// priority.
pub(super) fn routes(options: &ActionOptions, errors: &mut Errors) -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::new();
    let mut patterns: Vec<&Text> = Vec::new();
    for on in &options.on {
        let priority = match &on.priority {
            None => 0,
            Some(expr) => match priority(expr) {
                Some(priority) => priority,
                None => {
                    report(messages::bad_priority(), expr, errors);
                    0
                }
            },
        };
        for pattern in &on.patterns {
            grammar::pattern(pattern, errors);
            let is_same =
                |other: &Route| other.pattern == pattern.value && other.priority == priority;
            if let Some(first) = routes.iter().position(is_same) {
                grammar::report(
                    messages::listed_here(&pattern.value),
                    patterns[first],
                    errors,
                );
                grammar::report(messages::route_twice(&pattern.value), pattern, errors);
            }
            patterns.push(pattern);
            routes.push(Route {
                pattern: pattern.value.clone(),
                priority,
                lenient: on.lenient.is_some(),
            });
        }
    }
    routes
}

fn priority(expr: &Expr) -> Option<i8> {
    let text = expr.to_token_stream().to_string().replace(' ', "");
    let number: i8 = text.parse().ok()?;
    (-100..=100).contains(&number).then_some(number)
}

/// Hints must not contradict each other or the signature.
pub(super) fn hints(
    options: &ActionOptions,
    changes: bool,
    is_async: bool,
    errors: &mut Errors,
) -> Vec<&'static str> {
    if let Some(word) = options.read_only {
        if let Some(destructive) = options.destructive {
            report_at(messages::read_only_destructive(), destructive.0, errors);
        } else if changes {
            report_at(messages::read_only_mut(), word.0, errors);
        }
    } else if let Some(word) = options.destructive
        && !changes
        && !is_async
        && options.open_world.is_none()
        && options.sends_out.is_none()
    {
        report_at(messages::destructive_shared(), word.0, errors);
    }
    let destructive = options.destructive.is_some();
    let read_only = if is_async {
        options.read_only.is_some()
    } else {
        !changes && !destructive
    };
    let given = [
        ("read_only", read_only),
        ("destructive", destructive),
        ("idempotent", options.idempotent.is_some()),
        ("open_world", options.open_world.is_some()),
        ("reads_sensitive", options.reads_sensitive.is_some()),
        ("reads_untrusted", options.reads_untrusted.is_some()),
        ("sends_out", options.sends_out.is_some()),
    ];
    given
        .iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| *name)
        .collect()
}
