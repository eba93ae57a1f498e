//! The base of an agent that has no base fields, actions, hooks or configuration of its own.

use super::skill_of::SkillOf;
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

/// The base of an agent that has no base fields. It is shared by all such agents, which would need a generated struct each.
pub struct NoBase<G>(PhantomData<fn() -> G>);

impl<G: Agent> Skill for NoBase<G> {
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

impl<G: Agent> SkillOf<G> for NoBase<G> {
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

impl<G: Agent> Hooks for NoBase<G> {}

// not derived: the derives would put the same bounds on `G`

impl<G> Default for NoBase<G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<G> Clone for NoBase<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for NoBase<G> {}

impl<G> fmt::Debug for NoBase<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoBase")
    }
}

impl<G> Serialize for NoBase<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NoConfig {}.serialize(serializer)
    }
}

impl<'de, G> Deserialize<'de> for NoBase<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NoConfig::deserialize(deserializer).map(|NoConfig {}| Self(PhantomData))
    }
}

impl<G> JsonSchema for NoBase<G> {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("NoBase")
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "properties": {}, "additionalProperties": false })
    }
}
