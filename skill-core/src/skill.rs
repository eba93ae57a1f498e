//! The trait that a skill is.

use crate::data::{ConfigOf, Configuration, PartialJson, StoredState};
use crate::json::Problem;
use crate::{ActionEntry, HookEntry, SchemaFn, SkillSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A bundle of state, configuration and actions that an agent can be put together from; the struct is the skill's state.
///
/// `#[derive(Skill)]` writes it. By hand it takes a name, and the actions twice: as specs for introspection and as
/// entries for dispatch (an agent checks that they agree). Follows Jido's `Skill` (seeds 000 and 001).
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{NoConfig, Skill, SkillSpec};
///
/// #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// struct Notes {
///     lines: Vec<String>,
/// }
///
/// impl Skill for Notes {
///     type Config = NoConfig;
///     const SPEC: SkillSpec = SkillSpec::new("notes").description("Remembers lines.");
/// }
/// assert_eq!(Notes::NAME, "notes");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a skill",
    label = "`{Self}` does not implement `Skill`",
    note = "put `#[derive(Skill)]` and `#[skill(name = \"...\")]` on `{Self}`, or name another type"
)]
pub trait Skill: Sized + 'static {
    /// What an agent may set when it lists the skill; [`NoConfig`] when there is nothing to set.
    type Config: ConfigOf<Self>;

    /// Everything the skill says of itself.
    const SPEC: SkillSpec;

    /// The name its author gave it.
    const NAME: &'static str = Self::SPEC.name;

    /// The key of its state in the state of an agent that mounts it without another name.
    const STATE_KEY: &'static str = Self::SPEC.state_key;

    /// Its actions, in the order of `SPEC.actions`.
    const ACTIONS: &'static [ActionEntry<Self>] = &[];

    /// Its hooks into a server, where it has any.
    const HOOKS: Option<HookEntry<Self>> = None;

    /// What the state can do. `#[derive(Skill)]` refers to a `static`, so that the code is in the crate of the skill and not
    /// once more in that of each agent.
    #[doc(hidden)]
    const __DATA: &'static StateData<Self> = &StateData::of();

    /// The state of a fresh instance.
    fn init(config: &Self::Config) -> Self {
        let _ = config;
        Self::Config::__fresh_state()
    }
}

/// What the state of a skill can do, as functions: what is not on the way of a typed command goes by way of them.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "functions alone")]
pub struct StateData<S> {
    pub(crate) value: fn(&S) -> PartialJson,
    pub(crate) overlay: Overlay<S>,
    pub(crate) stored: fn(&S) -> &dyn erased_serde::Serialize,
    pub(crate) from_stored: fn(&mut StoredState<'_, '_>) -> Result<S, erased_serde::Error>,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

/// A state with a patch over it; `None` where that gives none, with the reasons among the problems.
pub(crate) type Overlay<S> = fn(&S, &Value, &str, Option<SchemaFn>, &mut Vec<Problem>) -> Option<S>;

impl<S: Skill> StateData<S> {
    /// The functions of a skill.
    #[must_use]
    pub const fn of() -> Self {
        Self {
            value: S::Config::__state_value,
            overlay: S::Config::__merge_state,
            stored: S::Config::__stored,
            from_stored: S::Config::__from_stored,
            schema: S::Config::__state_schema,
        }
    }
}

/// The configuration of a skill that has none. An object without keys, where `()` would be `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoConfig {}

/// A fresh state by a fresh configuration: `Default` of a skill whose fields say their defaults.
#[doc(hidden)]
pub fn fresh<S: Skill>() -> S {
    S::init(&S::Config::__fresh())
}

/// The schema of the state, as a document.
#[doc(hidden)]
pub fn state_document<S: Skill>() -> Value {
    S::Config::__state_document()
}

/// The schema of the configuration, as a document.
#[doc(hidden)]
pub fn config_document<S: Skill>() -> Value {
    S::Config::__document()
}

/// A toolset of a document is bound to a skill.
#[doc(hidden)]
pub const fn report_toolset<S: Skill>() {}
