//! `testing::assert_skill` with skills that are wrong, most of them written by hand: each kind of mistake is found, all at once.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use skill_agent::core::spec::Schemas;
use skill_agent::core::{ActionEntry, ActionSpec, Pure, Route, SkillSpec};
use skill_agent::prelude::*;
use skill_agent::testing::assert_skill;
use std::convert::Infallible;
use std::panic::catch_unwind;

/// The problems that the assertion prints, one a line.
fn problems<S: Skill>() -> Vec<String> {
    let panic = catch_unwind(assert_skill::<S>).expect_err("the skill has problems");
    let message = panic.downcast::<String>().unwrap();
    let (heading, problems) = message.split_once("\n  ").unwrap();
    assert_eq!(
        heading,
        format!("the skill `{}` has problems:", S::SPEC.name)
    );
    problems.split("\n  ").map(str::to_owned).collect()
}

/// A skill with a state of its own, and nothing that is wrong.
macro_rules! by_hand {
    ($name:ident, $spec:expr $(, $($item:tt)*)?) => {
        #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        struct $name {
            count: u32,
        }
        impl Skill for $name {
            type Config = NoConfig;
            const SPEC: SkillSpec = $spec;
            $($($item)*)?
        }
    };
}

#[test]
fn names_follow_their_grammar() {
    by_hand!(Misnamed, {
        let mut spec = SkillSpec::new("x").requires(&["other@^1"]);
        spec.name = "Mis named";
        spec.state_key = "mis-named";
        spec.version = Some("1.2");
        spec.signals = &["order.paid", "order..paid"];
        spec.requires = &["other@^1", "other@new", "Mis named"];
        spec
    });
    assert_eq!(
        problems::<Misnamed>(),
        [
            "`state_key`: a state key is a Rust identifier; a name with `-` also needs `.state_key(\"...\")`",
            "`name`: `Mis named` is not a name; a skill name is `[a-z][a-z0-9_-]*` with at most 64 characters",
            "`version`: `1.2` is not a semantic version; write it like `1.2.0`",
            "`signals[1]`: `order..paid` is not a signal pattern; it is written like `order.*.paid` or `order.**`",
            "`requires[1]`: `other@new` is not a requirement; write `name` or `name@^1.2`",
            "`requires[2]`: `Mis named` is not a requirement; write `name` or `name@^1.2`",
        ]
    );
    by_hand!(Reserved, SkillSpec::new("skills").requires(&["skills@^1"]));
    assert_eq!(
        problems::<Reserved>(),
        [
            "`state_key`: the state key `skills` is reserved for skills that are mounted at run time; take another one",
            "`requires[0]`: the skill requires itself; remove the requirement",
        ]
    );
}

#[test]
fn texts_are_not_empty_and_descriptions_not_too_long() {
    const LONG: &str = match str::from_utf8(&[b'x'; 1_025]) {
        Ok(text) => text,
        Err(_) => "",
    };
    by_hand!(
        Silent,
        SkillSpec::new("silent")
            .title(" ")
            .category("")
            .instructions("\n")
            .tags(&["a", ""])
    );
    assert_eq!(
        problems::<Silent>(),
        [
            "`tags[1]`: the text is empty",
            "`title`: the text is empty",
            "`category`: the text is empty",
            "`instructions`: the text is empty",
            "`instructions`: instructions need a description, by which a model chooses the skill",
        ]
    );
    by_hand!(Verbose, SkillSpec::new("verbose").description(LONG));
    let message = "`description`: the description has 1025 characters, and at most 1024 are shown to a model; move the rest into `instructions`";
    assert_eq!(problems::<Verbose>(), [message]);
}

/// An action of a skill that is written by hand.
macro_rules! action_by_hand {
    ($name:ident of $skill:ident, $spec:expr) => {
        impl Action for $name {
            type Skill = $skill;
            type Output = u32;
            type Error = Infallible;
            type Kind = Pure;
            const SPEC: ActionSpec = $spec;
            fn schemas() -> &'static Schemas {
                static SCHEMAS: Schemas = Schemas::of::<$name>();
                &SCHEMAS
            }
        }
        impl PureAction for $name {
            fn run(self, _: &mut $skill, _: &mut Context<$skill>) -> Result<u32, Infallible> {
                Ok(0)
            }
        }
    };
}

#[test]
fn actions_have_names_and_routes_of_their_own() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct First {}
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Second {}
    action_by_hand!(First of Twice, {
        ActionSpec::of::<First>("count", "Counts.")
            .title("")
            .routes(const { &[Route::new("a.*"), Route::new("b")] })
    });
    action_by_hand!(Second of Twice, {
        let mut spec = ActionSpec::of::<Second>("count", "Counts again.")
            .routes(const { &[Route::new("a.*")] });
        spec.description = " ";
        spec
    });
    by_hand!(
        Twice,
        SkillSpec::new("twice").actions(&[First::SPEC, Second::SPEC]),
        const ACTIONS: &'static [ActionEntry<Self>] =
            &[ActionEntry::of::<First>(), ActionEntry::of::<Second>()];
    );
    assert_eq!(
        problems::<Twice>(),
        [
            "`actions.count.title`: the text is empty",
            "`actions.count.description`: the text is empty",
            "`actions[1].name`: two actions have the tool name `count`: `count` and `count`",
            "`actions.count.routes[0]`: `a.*` with the priority 0 is also a route of `count`; give one of them another priority",
        ]
    );
}

#[test]
fn the_two_lists_of_actions_agree() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Odd {}
    action_by_hand!(Odd of Listed, {
        let mut spec = ActionSpec::of::<Odd>("x", "Is odd.");
        spec.name = "o d d";
        spec
    });
    by_hand!(Listed, SkillSpec::new("listed").actions(&[Odd::SPEC]));
    assert_eq!(
        problems::<Listed>(),
        [
            "`actions`: `SPEC.actions` and `ACTIONS` of a skill have to name the same actions in the same order",
            "`actions.o d d.name`: `o d d` is not the name of a tool: it has 1 to 64 letters, digits, `_` or `-`",
        ]
    );
}

/// Is written as a number and read as a text.
#[derive(Clone, Default)]
struct Fickle(u8);

impl Serialize for Fickle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Fickle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.len() as u8))
    }
}

/// Is one more whenever it is read.
#[derive(Clone, Default)]
struct Growing(u8);

impl Serialize for Growing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Growing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(|number| Self(number + 1))
    }
}

/// A schema of its own for a type.
macro_rules! described {
    ($name:ident, $schema:tt) => {
        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}
described!(Fickle, { "type": "string" });
described!(Growing, { "type": "integer" });

#[test]
fn a_state_and_a_configuration_survive_json_and_a_store() {
    /// Has a state that is read as another one.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "unstable", config = UnstableConfig)]
    struct Unstable {
        growing: Growing,
    }
    #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct UnstableConfig {
        fickle: Fickle,
    }
    let found = problems::<Unstable>();
    assert_eq!(
        found,
        [
            "`config.fickle`: the default breaks its own schema: invalid type: integer `0`, expected a string",
            "`config.fickle`: JSON that it wrote is not read: invalid type: integer `0`, expected a string",
            "`config`: it does not survive in a store, because its `Serialize` and `Deserialize` differ: it cannot be read: invalid type: integer `0`, expected a string",
            "`state`: it does not survive as JSON, because its `Serialize` and `Deserialize` differ: `growing` is stored as 0 and read as 1",
            "`state`: it does not survive in a store, because its `Serialize` and `Deserialize` differ: `growing` is stored as 0 and read as 1",
        ]
    );
}

#[test]
fn defaults_keep_the_constraints_of_their_schemas() {
    /// Begins with too much.
    #[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "greedy", config = GreedyConfig)]
    struct Greedy {
        #[skill(default = vec![1, 2])]
        #[schemars(length(max = 1))]
        items: Vec<u8>,
        #[skill(default = f64::NAN)]
        mean: f64,
    }
    #[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct GreedyConfig {
        #[skill(default = most())]
        #[schemars(range(max = 10))]
        most: u32,
    }
    fn most() -> u32 {
        11
    }
    assert_eq!(
        problems::<Greedy>(),
        [
            "`config.most`: the default breaks its own schema: 11 is out of range, expected 0..=10",
            "`state`: `mean` is NaN, which JSON cannot hold",
            "`state.items`: the default breaks its own schema: the length 2 is out of range, expected ..=1",
        ]
    );
}

#[test]
fn schemas_can_be_made_and_are_those_of_objects() {
    #[derive(Clone, Default, Serialize, Deserialize)]
    struct Wordless(String);
    described!(Wordless, { "type": "string" });
    impl Skill for Wordless {
        type Config = NoConfig;
        const SPEC: SkillSpec = SkillSpec::new("wordless");
    }
    assert_eq!(
        problems::<Wordless>(),
        [
            "`state`: its schema is not that of an object; use a struct with named fields",
            "`state`: it is written as something else than an object; use a struct with named fields",
        ]
    );

    #[derive(Clone, Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Panics {}
    impl JsonSchema for Panics {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Panics".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            panic!("there is none")
        }
    }
    impl Skill for Panics {
        type Config = NoConfig;
        const SPEC: SkillSpec = SkillSpec::new("panics");
        fn init(_: &NoConfig) -> Self {
            Self {}
        }
    }
    assert_eq!(
        problems::<Panics>()[0],
        "`state`: the schema panicked: there is none"
    );
}

#[test]
fn examples_and_defaults_of_arguments_are_accepted() {
    /// Takes arguments.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "taker", actions(Take, Give))]
    struct Taker {}

    /// Take it.
    #[action]
    fn take(
        taker: &Taker,
        number: u8,
        #[arg(range(1..=5), default = too_many())] pieces: u8,
        #[arg(example = "never")] at: Date,
        #[arg(example = "2026-01-31")] until: Option<Date>,
    ) -> u8 {
        let _ = (taker, at.0, until);
        number + pieces
    }
    fn too_many() -> u8 {
        6
    }

    /// Give it.
    #[action]
    fn give(taker: &Taker, #[arg(default)] to: Receiver) {
        let _ = (taker, to.name);
    }
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    struct Receiver {
        #[serde(deserialize_with = "not_empty")]
        #[schemars(example = &"", example = &"Ada")]
        name: String,
    }
    fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() {
            return Err(serde::de::Error::custom("a name is not empty"));
        }
        Ok(text)
    }

    #[derive(Serialize)]
    struct Date(String);
    impl<'de> Deserialize<'de> for Date {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            if !text.starts_with("20") {
                return Err(serde::de::Error::custom("not a date"));
            }
            Ok(Self(text))
        }
    }
    described!(Date, { "type": "string" });

    assert_eq!(
        problems::<Taker>(),
        [
            "`actions.take.arguments.pieces`: the default 6 is refused: 6 is out of range, expected 1..=5",
            "`actions.take.arguments.at`: the example \"never\" is refused: not a date",
            "`actions.give.arguments.to`: the default {\"name\":\"\"} is refused: a name is not empty",
            "`actions.give.arguments.to.name`: the example \"\" is refused: a name is not empty",
        ]
    );
}

#[test]
fn the_schema_of_arguments_is_that_of_what_is_read() {
    #[derive(Serialize, Deserialize)]
    struct Need {
        count: u32,
    }
    described!(Need, { "type": "object", "properties": { "a b": { "type": "integer" } } });
    action_by_hand!(Need of Needy, ActionSpec::of::<Need>("need", "Needs a number."));
    by_hand!(
        Needy,
        SkillSpec::new("needy").actions(&[Need::SPEC]),
        const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Need>()];
    );
    assert_eq!(
        problems::<Needy>(),
        [
            "`actions.need.arguments[\"a b\"]`: the name of an argument has 1 to 64 letters, digits, `_`, `-` or `.`",
            "`actions.need.arguments`: no argument is required, and `{}` is refused: missing field `count`",
        ]
    );
}
