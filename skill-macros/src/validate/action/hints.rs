//! The rules of routes and hints.

use super::super::{grammar, report, report_at};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ActionOptions;
use crate::parse::values::Text;
use quote::ToTokens;
use syn::Expr;

/// A route has a pattern and a priority from -100 to 100.
pub(super) fn routes(options: &ActionOptions, errors: &mut Errors) -> Vec<(String, i8)> {
    let mut routes: Vec<(&Text, i8)> = Vec::new();
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
                |(first, its): &&(&Text, i8)| first.value == pattern.value && *its == priority;
            if let Some((first, _)) = routes.iter().find(is_same) {
                grammar::report(messages::listed_here(&pattern.value), first, errors);
                grammar::report(messages::route_twice(&pattern.value), pattern, errors);
            }
            routes.push((pattern, priority));
        }
    }
    let owned = |(pattern, priority): (&Text, i8)| (pattern.value.clone(), priority);
    routes.into_iter().map(owned).collect()
}

fn priority(expr: &Expr) -> Option<i8> {
    let text = expr.to_token_stream().to_string().replace(' ', "");
    let number: i8 = text.parse().ok()?;
    (-100..=100).contains(&number).then_some(number)
}

/// Hints do not contradict each other or the signature.
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
    ];
    given
        .iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| *name)
        .collect()
}
