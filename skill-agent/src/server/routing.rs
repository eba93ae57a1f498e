//! The skills and routes that take part in signals, collected when the server starts.

use serde_json::Value;
use skill_core::routing::RouteId;
use skill_core::{Agent, Instruction, Route, Router, Signal, process};
use std::borrow::Cow;
use std::collections::HashMap;

/// The hooks and routes of an agent.
#[derive(Debug)]
pub(crate) struct SignalRouting {
    /// The skills with hooks, in requirement order; the agent itself first.
    hooked: Vec<usize>,
    pub(crate) router: Router<RouteTarget>,
    /// The routes of mounted skills, by skill and action.
    mounted: HashMap<(String, String), Vec<RouteId>>,
}

/// The instruction that a route runs.
#[derive(Clone, Debug)]
pub(crate) struct RouteTarget {
    action: Cow<'static, str>,
    /// The arguments; `None` for the data of the signal.
    params: Option<Value>,
}

impl RouteTarget {
    pub(crate) fn of(action: impl Into<Cow<'static, str>>) -> Self {
        Self {
            action: action.into(),
            params: None,
        }
    }

    /// The name of the action.
    pub(crate) fn action(&self) -> &str {
        &self.action
    }

    pub(crate) fn instruction(&self, signal: &Signal) -> Instruction {
        let params = match (&self.params, signal.data()) {
            (Some(params), _) => params.clone(),
            (None, Value::Null) => Value::Object(serde_json::Map::new()),
            (None, data) => data.clone(),
        };
        Instruction::new(self.action.clone(), params)
    }
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
                insert(&mut router, route, instruction);
            }
            hooked.push(skill);
        }
        Self {
            hooked,
            router,
            mounted: HashMap::new(),
        }
    }

    /// Adds the routes of an action of a mounted skill.
    pub(crate) fn register(&mut self, skill: &str, action: &str, routes: &[Route]) {
        let insert = |route: &Route| {
            let target = RouteTarget::of(action.to_owned());
            self.router.insert(route.clone(), target)
        };
        let ids = routes.iter().map(insert).collect();
        self.mounted
            .insert((skill.to_owned(), action.to_owned()), ids);
    }

    /// Removes the routes of an action of a mounted skill.
    pub(crate) fn deregister(&mut self, skill: &str, action: &str) {
        let key = (skill.to_owned(), action.to_owned());
        for id in self.mounted.remove(&key).unwrap_or_default() {
            self.router.remove(id);
        }
    }

    /// Whether any skill has hooks.
    pub(crate) fn has_hooks(&self) -> bool {
        !self.hooked.is_empty()
    }

    /// The skills with hooks, in requirement order.
    pub(crate) fn hooked(&self) -> impl Iterator<Item = usize> + '_ {
        self.hooked.iter().copied()
    }

    /// The skills with hooks that take part in signals of a type.
    pub(crate) fn matching<G: Agent>(&self, ty: &str) -> Vec<usize> {
        self.hooked()
            .filter(|skill| process::wants::<G>(*skill, ty))
            .collect()
    }
}

/// Adds a route of a hook. An instruction without arguments gets the data of the signal.
fn insert(router: &mut Router<RouteTarget>, route: Route, instruction: Instruction) {
    let is_empty = match &instruction.params {
        Value::Null => true,
        Value::Object(params) => params.is_empty(),
        _ => false,
    };
    let target = RouteTarget {
        action: instruction.action,
        params: (!is_empty).then_some(instruction.params),
    };
    router.insert(route, target);
}
