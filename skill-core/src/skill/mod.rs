//! The trait [`Skill`].

pub(crate) mod config_fields;
pub(crate) mod values;
mod vtable;

pub(crate) use vtable::NO_CONFIG;
pub use vtable::SkillVtable;

use crate::bounds::{ConfigOf, Configuration};
use crate::{ActionEntry, HookEntry, SkillSpec};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent_schema as json;

/// A type with state, configuration and actions. Agents are composed of skills. The struct itself is the state.
///
/// `#[derive(Skill)]` implements the trait. A hand-written impl has a name and lists its actions twice: as specs for
/// introspection, and as entries for dispatch. `agent!` checks that the two lists agree.
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
    note = "put `#[derive(Skill)]` and `#[skill(name = \"...\")]` on `{Self}`, or name another type; if `{Self}` is an action, name its skill instead",
    note = "an action of an agent itself takes its base fields: `&mut MathAgentBase` instead of `&mut MathAgent`"
)]
pub trait Skill: Sized + 'static {
    /// The configuration that an agent may set when it lists the skill, or [`NoConfig`].
    type Config: ConfigOf<Self>;

    /// The skill's metadata.
    const SPEC: SkillSpec;

    /// The name in the skill's spec. An agent that lists the skill under an alias uses the alias instead.
    const NAME: &'static str = Self::SPEC.name;

    /// The key of the skill's state in an agent that lists it without an alias.
    const STATE_KEY: &'static str = Self::SPEC.state_key;

    /// The entries of the skill's actions, in the order of `SPEC.actions`.
    const ACTIONS: &'static [ActionEntry<Self>] = &[];

    /// The entry of the skill's hooks, or `None` if it has no hooks.
    const HOOKS: Option<HookEntry<Self>> = None;

    /// Type-erased operations on the skill. `#[derive(Skill)]` refers to a `static`, so that the generated code stays in the
    /// skill's crate instead of being copied into each agent's crate.
    #[doc(hidden)]
    const __VTABLE: &'static SkillVtable = &SkillVtable::of::<Self>();

    /// The fields that take their initial value from the configuration.
    #[doc(hidden)]
    const __CONFIG_FIELDS: ConfigFields<Self> = ConfigFields::kept(&[]);

    /// Creates a new instance's state.
    fn init(config: &Self::Config) -> Self {
        let _ = config;
        Self::Config::__default_state()
    }
}

/// The fields with `#[skill(from_config)]`. `#[derive(Skill)]` generates this value.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "it holds a function pointer")]
pub struct ConfigFields<S> {
    /// The keys of the fields that keep their stored value.
    pub(crate) kept: &'static [&'static str],
    /// Moves the fields with `always` from an initial state into a state.
    pub(crate) take: Option<fn(&mut S, initial: &mut S)>,
}

impl<S> ConfigFields<S> {
    /// Lists the keys of the fields that keep their stored value.
    #[must_use]
    pub const fn kept(kept: &'static [&'static str]) -> Self {
        Self { kept, take: None }
    }

    /// Adds the fields with `always`, which `take` moves from an initial state into a state.
    #[must_use]
    pub const fn always(self, take: fn(&mut S, initial: &mut S)) -> Self {
        let take = Some(take);
        Self { take, ..self }
    }
}

/// The configuration of a skill that has none. Serialized as an empty object; `()` would be `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoConfig {}

/// A skill whose configuration has fields. No skill implements this trait: [`NoConfig::__set`] requires it so that the error
/// names the skill. Configurations that have fields use the method of [`SetFields`] instead.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the skill `{Self}` has no configuration",
    label = "`{Self}` has no field that an agent can set",
    note = "list it without braces: `skills: [{Self}]`; an agent sets only the fields of a configuration, which the skill names by `#[skill(config = ...)]`, and not those of its state"
)]
pub trait HasFields {
    /// The skill's configuration.
    type Config;
    /// Returns the skill's configuration.
    fn fields(config: &mut NoConfig) -> &mut Self::Config;
}

impl NoConfig {
    /// Returns the configuration whose fields `agent!` sets. This method takes precedence over [`SetFields::__set`], and no skill
    /// satisfies its bound. Without the bound, rustc would report an unknown field and not name the skill.
    #[doc(hidden)]
    pub fn __set<S: HasFields>(&mut self) -> &mut S::Config {
        S::fields(self)
    }
}

/// A configuration whose fields can be set.
#[doc(hidden)]
pub trait SetFields {
    /// Returns the configuration.
    fn __set<S>(&mut self) -> &mut Self {
        self
    }
}

impl<C> SetFields for C {}

/// Creates a state from the default configuration. Used as `Default` for a skill whose fields declare defaults.
#[doc(hidden)]
pub fn fresh<S: Skill>() -> S {
    S::init(&S::Config::__default())
}

/// Returns the state's schema as a complete JSON Schema document.
#[doc(hidden)]
pub fn state_json_schema<S: Skill>() -> Value {
    without_secrets((S::__VTABLE.state.json_schema)(), S::SPEC.state_secrets)
}

/// Returns the configuration's schema as a complete JSON Schema document.
#[doc(hidden)]
pub fn config_json_schema<S: Skill>() -> Value {
    without_secrets((S::__VTABLE.config.json_schema)(), S::SPEC.config_secrets)
}

fn without_secrets(mut schema: Schema, secrets: &[&str]) -> Value {
    json::without_secrets(&mut schema, secrets);
    schema.into()
}

/// Fails to compile if `S`, the type of a document's toolset, is not a skill.
#[doc(hidden)]
pub const fn report_toolset<S: Skill>() {}
