//! The errors of declaring and starting children.

use skill_core::__private::nearest;
use std::borrow::Cow;

/// Why a child is not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// Two specifications have one id.
    #[error(
        "the child `{id}` is declared by `{first}` and again by `{second}`; give one of them another id"
    )]
    #[non_exhaustive]
    Duplicate {
        /// The id.
        id: Cow<'static, str>,
        /// The skill that declared it first.
        first: &'static str,
        /// The skill that declared it again; it may be the same.
        second: &'static str,
    },
    /// No skill declares a child of that id.
    #[error("there is no child `{id}`{}", hint(.suggestion, .known))]
    #[non_exhaustive]
    Unknown {
        /// The id that was asked for.
        id: String,
        /// The nearest id there is.
        suggestion: Option<Cow<'static, str>>,
        /// All ids there are, in the order of the declarations.
        known: Vec<Cow<'static, str>>,
    },
    /// The child runs, or waits for its restart. A `Spawn` that is executed twice starts one child.
    #[error("the child `{id}` is running already")]
    #[non_exhaustive]
    Running {
        /// The id.
        id: Cow<'static, str>,
    },
    /// The children were stopped, or ended too often.
    #[error("the child `{id}` is not started: the children of this agent are stopped")]
    #[non_exhaustive]
    Stopped {
        /// The id.
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

fn hint(suggestion: &Option<Cow<'static, str>>, known: &[Cow<'static, str>]) -> String {
    let there = match known {
        [] => return "; no skill of the agent declares one".to_owned(),
        ids => ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>(),
    };
    let there = format!("; there is {}", there.join(", "));
    match suggestion {
        Some(id) => format!("; did you mean `{id}`?{there}"),
        None => there,
    }
}
