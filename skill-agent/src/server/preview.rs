//! Previews: what a pure action would do.

use json_patch::PatchOperation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_core::process;
use skill_core::{Agent, CallError, Directive, StateError};
use std::collections::BTreeMap;

/// What a pure action would do in the present state; nothing of it is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Preview {
    /// The output of the action.
    pub output: Value,
    /// The changes of the state by state key, or name of a base field: a JSON patch (RFC 6902) for each. Secrets are masked.
    pub changes: BTreeMap<String, Value>,
    /// The directives that it would queue.
    pub directives: Vec<Directive>,
}

impl Preview {
    /// The preview of an action that changes the state as JSON from `before` to `after`.
    pub(crate) fn new<G: Agent>(
        output: Value,
        before: &Value,
        after: &Value,
        directives: Vec<Directive>,
    ) -> Self {
        let keys = |state: &Value| -> Vec<String> {
            let object = state.as_object();
            object
                .into_iter()
                .flat_map(|object| object.keys().cloned())
                .collect()
        };
        let mut changes = BTreeMap::new();
        for key in keys(before).into_iter().chain(keys(after)) {
            let of = |state: &Value| state.get(&key).cloned().unwrap_or_default();
            let patch = json_patch::diff(&of(before), &of(after));
            if !patch.is_empty() {
                let patch = patch.iter().map(|operation| masked::<G>(&key, operation));
                changes.insert(key.clone(), patch.collect());
            }
        }
        Self {
            output,
            changes,
            directives,
        }
    }
}

/// An operation of a patch of the state under a key, without the values of secrets.
fn masked<G: Agent>(key: &str, operation: &PatchOperation) -> Value {
    let tokens: Vec<_> = operation.path().tokens().collect();
    let tokens: Vec<_> = tokens.iter().map(|token| token.decoded()).collect();
    let keys: Vec<&str> = std::iter::once(key)
        .chain(tokens.iter().map(|token| &**token))
        .collect();
    let mut operation = serde_json::json!(operation);
    if let Some(value) = operation.get_mut("value") {
        process::mask_state::<G>(&keys, value);
    }
    operation
}

/// Why an action has no preview.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PreviewError {
    /// The action is async: what it does is known when it has run.
    #[error("`{action}` is async and has no preview: what it does is known when it has run")]
    #[non_exhaustive]
    Async {
        /// The name of the action.
        action: &'static str,
    },
    /// The call would fail.
    #[error(transparent)]
    Call(#[from] CallError),
    /// JSON cannot represent the state.
    #[error(transparent)]
    State(#[from] StateError),
}
