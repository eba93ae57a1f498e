//! Errors from declaring and starting children.

use skill_core::__private::nearest;
use std::borrow::Cow;

/// Why a child was not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// Two child specifications have the same id.
    #[error(
        "the child `{id}` is declared by `{first}` and again by `{second}`; give one of them another id"
    )]
    #[non_exhaustive]
    Duplicate {
        /// The id that is declared twice.
        id: Cow<'static, str>,
        /// The first skill that declares the id.
        first: &'static str,
        /// The second skill that declares the id. It may be the same as `first`.
        second: &'static str,
    },
    /// No skill declares a child with this id.
    #[error("there is no child `{id}`{}", hint(.suggestion, .known))]
    #[non_exhaustive]
    Unknown {
        /// The requested id.
        id: String,
        /// The most similar declared id.
        suggestion: Option<Cow<'static, str>>,
        /// All declared ids, in declaration order.
        known: Vec<Cow<'static, str>>,
    },
    /// The child is already running or waiting for its restart, so executing a `Spawn` twice starts only one child.
    #[error("the child `{id}` is already running{}", starts_itself(*.on_demand))]
    #[non_exhaustive]
    Running {
        /// The id of the running child.
        id: Cow<'static, str>,
        /// Whether the child starts only on a `Spawn`, rather than with the server.
        on_demand: bool,
    },
    /// The children have been stopped, or have exceeded the restart limit.
    #[error("the child `{id}` is not started: the children of this agent are stopped")]
    #[non_exhaustive]
    Stopped {
        /// The id of the child that was not started.
        id: Cow<'static, str>,
    },
}

impl ChildError {
    pub(super) fn unknown(id: &str, known: Vec<Cow<'static, str>>) -> Self {
        let suggestion = nearest(id, known.iter().map(|known| &**known));
        Self::Unknown {
            id: id.to_owned(),
            suggestion: suggestion.map(|id| Cow::Owned(id.to_owned())),
            known,
        }
    }
}

fn starts_itself(on_demand: bool) -> &'static str {
    if on_demand {
        ""
    } else {
        ": it starts with the server; to start it by `cx.spawn` alone, write `.on_demand()` on its `ChildSpec`"
    }
}

fn hint(suggestion: &Option<Cow<'static, str>>, known: &[Cow<'static, str>]) -> String {
    if known.is_empty() {
        return "; no skill of the agent declares one".to_owned();
    }
    let declared: Vec<_> = known.iter().map(|id| format!("`{id}`")).collect();
    let list = format!("; the declared children are {}", declared.join(", "));
    match suggestion {
        Some(id) => format!("{list}; did you mean `{id}`?"),
        None => list,
    }
}
