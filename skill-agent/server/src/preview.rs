//! Previews of pure actions.

use json_patch::PatchOperation;
use json_patch::jsonptr::PointerBuf;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_core::process;
use skill_core::{Agent, CallError, Directive, StateError};
use std::collections::BTreeMap;

/// The output and the effects that a pure action would have on the current state.
///
/// Secrets are masked in the changes, but not in the output and the directives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Preview {
    /// The action's output.
    pub output: Value,
    /// The changes to the state, by state key or base field, each as a JSON patch (RFC 6902).
    pub changes: BTreeMap<String, Value>,
    /// The directives that the action would queue.
    pub directives: Vec<Directive>,
}

impl Preview {
    /// Creates the preview of an action that changes the state from `before` to `after`.
    #[doc(hidden)]
    pub fn new<G: Agent>(
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
                let mut masked: Vec<Value> = Vec::new();
                for operation in patch.iter() {
                    let (operation, is_secret) = mask(process::mask_state::<G>, &key, operation);
                    // several changes inside the same secret count as one; elsewhere, equal ones remove several items
                    if !is_secret || !masked.contains(&operation) {
                        masked.push(operation);
                    }
                }
                changes.insert(key.clone(), Value::Array(masked));
            }
        }
        Self {
            output,
            changes,
            directives,
        }
    }
}

/// Masks secrets in one patch operation on the state under `key`. A change inside a secret becomes a change to the whole secret,
/// because the keys and the length of a secret are also secret. Also returns whether the change is inside a secret.
fn mask(
    mask_state: fn(&[&str], &mut Value),
    key: &str,
    operation: &PatchOperation,
) -> (Value, bool) {
    let tokens: Vec<_> = operation.path().tokens().collect();
    let tokens: Vec<_> = tokens.iter().map(|token| token.decoded()).collect();
    let mut keys = vec![key];
    for token in &tokens {
        keys.push(token);
        let mut probe = Value::Bool(true);
        mask_state(&keys, &mut probe);
        if probe != Value::Bool(true) {
            let path = PointerBuf::from_tokens(keys[1..].iter().copied());
            let whole = json!({ "op": "replace", "path": path.as_str(), "value": probe });
            return (whole, true);
        }
    }
    let mut operation = json!(operation);
    if let Some(value) = operation.get_mut("value") {
        mask_state(&keys, value);
    }
    (operation, false)
}

/// Why an action has no preview.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PreviewError {
    /// The action is async, so its effects are not known before it has run.
    #[error("`{action}` is async and has no preview: what it does is known when it has run")]
    #[non_exhaustive]
    Async {
        /// The action's name.
        action: &'static str,
    },
    /// The call would fail.
    #[error(transparent)]
    Call(#[from] CallError),
    /// JSON cannot represent the state.
    #[error(transparent)]
    State(#[from] StateError),
}
