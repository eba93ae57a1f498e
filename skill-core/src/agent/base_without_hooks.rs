//! The base of an agent without its own base fields, actions, hooks or configuration.

use crate::agent::run::skill_of::SkillOf;
use crate::context::ConfigCell;
use crate::spec::Provenance;
use crate::{Agent, Hooks, NoConfig, Skill, SkillSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// The base of an agent without its own base fields, actions, hooks or configuration. All such agents share this type, which
/// saves generating a struct for each.
///
/// rustc shows this name to a user who implements `Hooks` for the base but forgets the key `hooks` of `agent!`.
pub struct BaseWithoutHooks<G>(PhantomData<fn() -> G>);

#[diagnostic::do_not_recommend]
impl<G: Agent> Skill for BaseWithoutHooks<G> {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new(G::SPEC.name)
        .type_path(G::SPEC.type_path)
        .schemas(empty_object, empty_object)
        .__provenance(Provenance::Agent);
}

fn empty_object() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(
        || json!({ "type": "object", "properties": {}, "additionalProperties": false }),
    )
}

#[diagnostic::do_not_recommend]
impl<G: Agent> SkillOf<G> for BaseWithoutHooks<G> {
    fn of(_: &G::State) -> &Self {
        &Self(PhantomData)
    }

    fn of_mut(_: &mut G::State) -> &mut Self {
        // boxing a zero-sized type does not allocate
        Box::leak(Box::default())
    }

    fn cell() -> &'static ConfigCell {
        static CELL: ConfigCell = ConfigCell::new();
        &CELL
    }
}

#[diagnostic::do_not_recommend]
impl<G: Agent> Hooks for BaseWithoutHooks<G> {}

// not derived: the derives would require the same bounds on `G`

impl<G> Default for BaseWithoutHooks<G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<G> Clone for BaseWithoutHooks<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for BaseWithoutHooks<G> {}

impl<G> fmt::Debug for BaseWithoutHooks<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BaseWithoutHooks")
    }
}

impl<G> Serialize for BaseWithoutHooks<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NoConfig {}.serialize(serializer)
    }
}

impl<'de, G> Deserialize<'de> for BaseWithoutHooks<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NoConfig::deserialize(deserializer).map(|NoConfig {}| Self(PhantomData))
    }
}

impl<G> JsonSchema for BaseWithoutHooks<G> {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("BaseWithoutHooks")
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "properties": {}, "additionalProperties": false })
    }
}
