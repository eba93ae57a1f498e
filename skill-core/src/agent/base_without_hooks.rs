//! The base of an agent without its own base fields, actions, hooks or configuration.

use crate::agent::run::skill_of::SkillOf;
use crate::bounds::{SharedState, SkillState, StateFns};
use crate::context::ConfigCell;
use crate::skill::{NO_CONFIG, SkillVtable};
use crate::spec::Provenance;
use crate::{Agent, Hooks, NoConfig, Skill, SkillSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};
use skill_agent_schema as schema;
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

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
    const __VTABLE: &'static SkillVtable = &VTABLE;
}

/// The operations of all such bases. Otherwise, each agent's crate would compile them for its own type. `BaseWithoutHooks<()>` is
/// no skill, because rustc would list it among the skills in its errors.
static VTABLE: SkillVtable = SkillVtable {
    spec: || const { &SkillSpec::new("base").schemas(empty_object, empty_object) },
    skill_type: TypeId::of::<BaseWithoutHooks<()>>,
    state: &STATE,
    config: &NO_CONFIG,
    init: |_| Arc::new(()),
    kept_fields: &[],
    take_fields: None,
    mounted: || unreachable!("{NO_ACTIONS}"),
    takes_context: |_| false,
    read: |_, _| unreachable!("{NO_ACTIONS}"),
    call: |_, _, _, _| unreachable!("{NO_ACTIONS}"),
    when: |_, _| unreachable!("{NO_ACTIONS}"),
    hooks: None,
};

/// These ignore the value that they get, which may be the base of any agent.
static STATE: StateFns = StateFns {
    copy: |_| Arc::new(()),
    swap: |_, _| {},
    value: |_| (json!({}), None),
    update: |_, document, update, at, layout, problems| {
        let base = &BaseWithoutHooks::<()>(PhantomData);
        let new = schema::update(base, document, update, at, layout, problems);
        new.map(|_| Arc::new(()) as SharedState)
    },
    stored: |_| &BaseWithoutHooks::<()>(PhantomData),
    ..<BaseWithoutHooks<()> as SkillState>::__FNS
};

const NO_ACTIONS: &str = "a base without actions is never called";

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
