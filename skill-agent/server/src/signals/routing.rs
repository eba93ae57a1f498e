//! The skills and routes that handle signals, collected when the server starts.

use super::misspelled::{DeclaredType, declared_type};
use serde_json::{Map, Value};
use skill_core::__private::nearest;
use skill_core::process::CallFailure;
use skill_core::routing::{Match, RouteId};
use skill_core::{
    Agent, CallError, Instruction, Problem, ReadError, Route, Router, Signal, process,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// An agent's hooks and routes.
#[derive(Debug)]
pub(crate) struct SignalRouting {
    /// The indexes of the skills with hooks, in requirement order after the agent itself.
    hooked: Vec<usize>,
    pub(crate) router: Router<RouteTarget>,
    /// The ids of the routes of mounted skills, by skill and action.
    mounted: HashMap<(String, String), Vec<RouteId>>,
}

/// The instruction that a route runs.
#[derive(Clone, Debug)]
pub(crate) struct RouteTarget {
    action: Cow<'static, str>,
    /// The arguments that the route itself sets, as an object or `null`. The other arguments come from the signal's data.
    params: Value,
}

impl RouteTarget {
    pub(crate) fn of(action: impl Into<Cow<'static, str>>) -> Self {
        Self {
            action: action.into(),
            params: Value::Null,
        }
    }

    /// Returns the action's name.
    pub(crate) fn action(&self) -> &str {
        &self.action
    }
}

/// Builds the instruction that a route runs for a signal, from the route's own arguments and the signal's data. If `is_lenient`
/// is set, data fields that are not arguments are left out.
///
/// # Errors
/// Returns an error if the route and the signal both set the same argument.
pub(crate) fn instruction<G: Agent>(
    agent: &G,
    found: &Match<'_, RouteTarget>,
    signal: &Signal,
    is_lenient: bool,
) -> Result<Instruction, CallError> {
    let RouteTarget { action, params } = found.target;
    // only objects can be merged; any other value is passed on and causes an error when it is read as arguments
    let unread = |value: &Value| Ok(Instruction::new(action.clone(), value.clone()));
    let mut arguments = match signal.data() {
        Value::Object(data) => data.clone(),
        data if data.is_null() || is_lenient => Map::new(),
        data => return unread(data),
    };
    let params = match params {
        Value::Object(params) => Some(params),
        Value::Null => None,
        params => return unread(params),
    };
    if is_lenient && let Ok(action) = process::resolve(agent, action) {
        process::leave_out_unknown(action, &mut arguments);
    }
    for (name, value) in params.into_iter().flatten() {
        if arguments.insert(name.clone(), value.clone()).is_some() {
            let action = process::resolve(agent, action)?.spec.name;
            let problem = set_twice(name, found.route);
            return Err(CallFailure::from(ReadError::Data(problem)).with_action(action));
        }
    }
    Ok(Instruction::new(action.clone(), Value::Object(arguments)))
}

/// Returns the problem for an argument that is set both by a route from `Hooks::routes` and by the signal's data.
fn set_twice(name: &str, route: &Route) -> Problem {
    let pattern = &route.pattern;
    let message = format!(
        "the route `{pattern}` of `Hooks::routes` sets `{name}`, and the data of the signal has a field `{name}` too"
    );
    let help = format!("leave `{name}` out of the data, or out of the instruction of the route");
    Problem::new(name, message).with_help(help)
}

impl SignalRouting {
    pub(crate) fn new<G: Agent>(agent: &G) -> Self {
        let mut router = Router::new();
        for (route, action) in G::routes() {
            router.insert(route, RouteTarget::of(action));
        }
        let mut hooked = Vec::new();
        for skill in process::requirement_order::<G>() {
            if !process::has_hooks::<G>(skill) {
                continue;
            }
            for (route, instruction) in process::hook_routes(agent, skill) {
                let Instruction { action, params, .. } = instruction;
                router.insert(route, RouteTarget { action, params });
            }
            hooked.push(skill);
        }
        Self {
            hooked,
            router,
            mounted: HashMap::new(),
        }
    }

    /// Adds the routes for one action of a mounted skill.
    pub(crate) fn register(&mut self, skill: &str, action: &str, routes: &[Route]) {
        let insert = |route: &Route| {
            let target = RouteTarget::of(action.to_owned());
            self.router.insert(route.clone(), target)
        };
        let ids = routes.iter().map(insert).collect();
        self.mounted
            .insert((skill.to_owned(), action.to_owned()), ids);
    }

    /// Removes the routes for one action of a mounted skill.
    pub(crate) fn deregister(&mut self, skill: &str, action: &str) {
        let key = (skill.to_owned(), action.to_owned());
        for id in self.mounted.remove(&key).unwrap_or_default() {
            self.router.remove(id);
        }
    }

    /// Returns the type that a signal without a handler should probably have. If the cause is a skill's declared name, also
    /// returns the skill's names as text.
    pub(crate) fn suggestion<G: Agent>(&self, ty: &str) -> (Option<String>, String) {
        let Some(declared) = declared_type::<G>(ty) else {
            return (self.nearest_type(ty), String::new());
        };
        let DeclaredType { skill, names, .. } = &declared;
        let listed = format!("; the skill `{skill}` is listed as {names}");
        let has_handler = |ty: &&String| {
            !self.router.matches_type(ty).is_empty() || !self.matching::<G>(ty).is_empty()
        };
        let spelled = declared.spelled.iter();
        let suggestion = spelled.clone().find(has_handler).cloned();
        let nearest = || spelled.clone().find_map(|ty| self.nearest_type(ty));
        (suggestion.or_else(nearest), listed)
    }

    /// Returns the type that is most similar to `ty`, among the routes without `*`.
    fn nearest_type(&self, ty: &str) -> Option<String> {
        let routes = self.router.iter();
        let types = routes.map(|found| &*found.route.pattern);
        nearest(ty, types.filter(|ty| !ty.contains('*'))).map(str::to_owned)
    }

    /// Returns whether any skill has hooks.
    pub(crate) fn has_hooks(&self) -> bool {
        !self.hooked.is_empty()
    }

    /// Returns the skills with hooks, in requirement order.
    pub(crate) fn hooked(&self) -> impl Iterator<Item = usize> + '_ {
        self.hooked.iter().copied()
    }

    /// Returns the skills whose hooks handle signals of this type.
    pub(crate) fn matching<G: Agent>(&self, ty: &str) -> Vec<usize> {
        self.hooked()
            .filter(|skill| process::wants::<G>(*skill, ty))
            .collect()
    }
}
