//! Why something was not mounted, unmounted or delivered.

use crate::json::{StateError, shorten};
use std::borrow::Cow;
use std::error::Error as StdError;

/// A name of a skill, an action or a key.
type Name = Cow<'static, str>;

/// Why a skill or document was not mounted or unmounted. Nothing has changed.
///
/// ```
/// use skill_core::MountError;
/// let error = MountError::MissingDependency { skill: "search".into(), required: "auth".into() };
/// assert_eq!(
///     error.to_string(),
///     "the skill `search` requires the skill `auth`, which is not mounted; mount `auth` first",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MountError {
    /// What the skill requires is neither mounted nor a skill of the agent.
    #[error(
        "the skill `{skill}` requires the skill `{required}`, which is not mounted; mount `{required}` first"
    )]
    MissingDependency {
        /// The skill.
        skill: Name,
        /// The name of the skill that it requires.
        required: Name,
    },
    /// A tool that the document needs is an action neither of a mounted skill nor of the agent, or an internal one.
    #[error(
        "the document `{skill}` requires the tool `{tool}`, which neither the agent nor a mounted skill offers{}",
        tool_help(.by, .suggestion)
    )]
    #[non_exhaustive]
    MissingTool {
        /// The document.
        skill: Name,
        /// The name of the tool.
        tool: Name,
        /// The skill of the registry that has it.
        by: Option<Name>,
        /// The nearest that is offered.
        suggestion: Option<Name>,
    },
    /// A toolset of the document is neither a mounted skill nor one of the agent.
    #[error(
        "the document `{skill}` names the toolset `{required}`, and no skill of that type is mounted; mount `{required}` first"
    )]
    #[non_exhaustive]
    MissingToolset {
        /// The document.
        skill: Name,
        /// The name of the Rust type.
        required: Name,
    },
    /// What the skill requires is there in a version that will not do.
    #[error(
        "the skill `{skill}` requires the skill `{required}` in a version that satisfies `{wanted}`, but the available one has {}",
        .found.as_deref().unwrap_or("no version")
    )]
    #[non_exhaustive]
    WrongVersion {
        /// The skill.
        skill: Name,
        /// The name of the skill that it requires.
        required: Name,
        /// The requirement.
        wanted: Name,
        /// The version that is there.
        found: Option<Name>,
    },
    /// Another mounted skill requires it.
    #[error(
        "the skill `{skill}` cannot be unmounted, because `{by}` requires it; unmount `{by}` first"
    )]
    #[non_exhaustive]
    Required {
        /// The skill.
        skill: Name,
        /// The mounted skill that requires it.
        by: Name,
    },
    /// A skill of that name is mounted, and its type is another one.
    #[error(
        "the name `{skill}` belongs to the mounted `{mounted}`, not to `{refused}`; unmount that one first, or `replace` it"
    )]
    #[non_exhaustive]
    AnotherType {
        /// The name.
        skill: Name,
        /// The type that is mounted.
        mounted: Name,
        /// The type that was to be mounted.
        refused: Name,
    },
    /// A document of that name is mounted, be it in other case, and it says something else.
    #[error("{}", another_document(.skill, .mounted))]
    #[non_exhaustive]
    AnotherDocument {
        /// The document that was to be mounted.
        skill: Name,
        /// The name of the mounted one.
        mounted: Name,
    },
    /// The agent has a document of that name in `documents: [...]`.
    #[error(
        "the agent already lists a document `{skill}`; take one of them out, or give one of them another name"
    )]
    #[non_exhaustive]
    Listed {
        /// The name.
        skill: Name,
    },
    /// The name of the document is none.
    #[error("the document has no valid id: {reason}")]
    #[non_exhaustive]
    WrongName {
        /// What is wrong with it.
        reason: String,
    },
    /// The agent has a skill of that name without mounting it.
    #[error(
        "the agent already has a skill `{skill}`, `{owner}`; take one of them out, or list the agent's under another name: `{owner} as ...`"
    )]
    #[non_exhaustive]
    NameTaken {
        /// The name.
        skill: Name,
        /// The type of the agent's skill.
        owner: Name,
    },
    /// The state key is that of another skill, or a base field of the agent.
    #[error(
        "the state key `{key}` of the skill `{skill}` is already used by {owner}; give one of them another `state_key`"
    )]
    #[non_exhaustive]
    StateKeyTaken {
        /// The skill.
        skill: Name,
        /// Its state key.
        key: Name,
        /// What has the key, as a message says it: ``the skill `search` ``.
        owner: Name,
    },
    /// An action has the name of another one.
    #[error(
        "the action `{action}` of the skill `{skill}` has the same name as an action of `{owner}`; give one of them another `name`"
    )]
    #[non_exhaustive]
    ActionTaken {
        /// The skill.
        skill: Name,
        /// The name of the action.
        action: Name,
        /// The skill that has an action of that name.
        owner: Name,
    },
    /// The skill has an async action. Those work with resources, which a server gives to the skills of the list alone.
    #[error(
        "the action `{action}` of the skill `{skill}` is async, and only listed skills have resources; list the skill in `skills: [...]`"
    )]
    #[non_exhaustive]
    Async {
        /// The skill.
        skill: Name,
        /// Its action.
        action: Name,
    },
    /// The options are not those of the skill.
    #[error("the options of the skill `{skill}` are wrong: {source}")]
    #[non_exhaustive]
    Options {
        /// The skill.
        skill: Name,
        /// What is wrong, and where.
        source: StateError,
    },
    /// The object of the options of several skills is wrong.
    #[error("the options are wrong: {source}")]
    #[non_exhaustive]
    OptionsOfAll {
        /// What is wrong, and where.
        source: StateError,
    },
    /// Skills of a set require each other in a circle.
    #[error("skills require each other in a cycle: {}; take one of the `requires` out", .path.join(" -> "))]
    #[non_exhaustive]
    Cycle {
        /// The names on the way; the last is the first.
        path: Vec<Name>,
    },
    /// Nothing of that name is mounted.
    #[error("no skill `{}` is mounted{}", shorten(.name, 64), hint(.suggestion))]
    #[non_exhaustive]
    NotMounted {
        /// The name that was given.
        name: String,
        /// The nearest that is mounted.
        suggestion: Option<Name>,
    },
    /// Nothing of that name may be mounted.
    #[error("no skill `{}` is in the registry{}", shorten(.name, 64), hint(.suggestion))]
    #[non_exhaustive]
    Unregistered {
        /// The name that was given.
        name: String,
        /// The nearest in the registry.
        suggestion: Option<Name>,
    },
    /// The agent mounts no skills.
    #[error(
        "the agent `{agent}` has no mountable skills, so `{}` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`",
        shorten(.skill, 64)
    )]
    #[non_exhaustive]
    MountsNone {
        /// The agent.
        agent: Name,
        /// The name that was given.
        skill: String,
    },
    /// The registry has two skills or documents of one name.
    #[error(
        "the name `{skill}` is used by two skills in the registry, `{one}` and `{other}`; take one of them out"
    )]
    #[non_exhaustive]
    Ambiguous {
        /// The name.
        skill: Name,
        /// The first type.
        one: Name,
        /// The second type.
        other: Name,
    },
    /// The registry has two types that keep their state under one key.
    #[error(
        "the state key `{key}` is used by two skills in the registry, `{one}` and `{other}`; take one of them out"
    )]
    #[non_exhaustive]
    AmbiguousKey {
        /// The key.
        key: Name,
        /// The first type.
        one: Name,
        /// The second type.
        other: Name,
    },
}

impl MountError {
    /// The name of a document is none, and why: for what mounts documents of some format.
    pub fn wrong_name(reason: &str) -> Self {
        Self::WrongName {
            reason: shorten(reason, 200).into_owned(),
        }
    }

    /// The error of an agent without `mounted: [...]`.
    pub(crate) fn mounts_none(agent: &'static str, skill: &str) -> Self {
        Self::MountsNone {
            agent: agent.into(),
            skill: shorten(skill, 64).into_owned(),
        }
    }
}

/// Why a signal was not delivered. Nothing has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeliverError {
    /// The skill could not handle it.
    #[error("the skill `{skill}` could not handle the signal: {source}")]
    #[non_exhaustive]
    Hook {
        /// The skill.
        skill: Name,
        /// Its own reason.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// Nothing of that name is mounted.
    #[error("no skill `{}` is mounted{}", shorten(.name, 64), hint(.suggestion))]
    #[non_exhaustive]
    NotMounted {
        /// The name that was given.
        name: String,
        /// The nearest that is mounted.
        suggestion: Option<Name>,
    },
    /// The skill is disabled.
    #[error("the skill `{skill}` is disabled; enable it first")]
    #[non_exhaustive]
    Disabled {
        /// The skill.
        skill: Name,
    },
}

fn another_document(refused: &str, mounted: &str) -> String {
    if refused == mounted {
        return format!(
            "a different document `{mounted}` is already mounted; replace it, or unmount it first"
        );
    }
    format!(
        "the name `{refused}` is too similar to that of the mounted document `{mounted}`; give one of them another name"
    )
}

fn tool_help(by: &Option<Name>, suggestion: &Option<Name>) -> String {
    match (by, suggestion) {
        (Some(by), _) => format!("; mount `{by}` first"),
        (None, Some(_)) => hint(suggestion),
        (None, None) => "; mount a skill that has it first".to_owned(),
    }
}

fn hint(suggestion: &Option<Name>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}
