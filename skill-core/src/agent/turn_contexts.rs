//! The texts with which skills tell a model about their state.

use crate::hooks::TurnContext;
use crate::mounted::CallSource;
use crate::{Agent, Mounted};

/// Returns the texts of the listed skills in requirement order, and of the enabled mounted skills in mounting order.
pub fn turn_contexts<G: Agent>(agent: &G) -> Vec<TurnContext> {
    let (state, env) = agent.__parts();
    let order = G::__tables().requirement_order().into_iter();
    let listed = order.filter_map(|skill| G::__slots()[skill].turn_context(state, env));
    let source = CallSource {
        id: env.id(),
        meta: None,
    };
    let mounted = G::__mounted(state).into_iter();
    let mounted = mounted.flat_map(|mounted: &Mounted| mounted.turn_contexts(source));
    listed.chain(mounted).collect()
}
