//! Tools that a skill describes itself, by `#[skill(tools(…))]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::Tool;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use std::sync::{Arc, Mutex};

/// The unit of a distance.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A meter.
    Meter,
    /// A mile.
    Mile,
}

/// Measures.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "tape",
    actions(Measure, Convert, Reset),
    tools(
        Convert(
            title = "Conversion",
            description = "Convert a distance into another unit.",
            args("from-unit" = "The unit it is in.", to = "The unit it should be in."),
        ),
        Reset(title = "Reset"),
    )
)]
pub struct Tape {
    pub measured: f64,
}

/// Measure a distance.
#[action]
pub fn measure(
    tape: &mut Tape,
    /// In meters.
    distance: f64,
) {
    tape.measured = distance;
}

/// Convert.
#[action(title = "Convert")]
pub fn convert(
    _: &Tape,
    /// A number.
    distance: f64,
    #[arg(rename = "from-unit")] from: Unit,
    /// The unit of a distance.
    to: Option<Unit>,
    #[serde(alias = "digits")]
    #[arg(default, range(..=9))]
    precision: u8,
) -> f64 {
    let _ = (from, to, precision);
    distance
}

/// Set the tape to zero.
#[action]
pub fn reset(tape: &mut Tape) {
    tape.measured = 0.0;
}

agent! {
    /// Has two tapes.
    #[derive(Debug, PartialEq)]
    pub struct Tailor {
        name: "tailor",
        skills: [Tape, Tape as spare],
    }
}

agent! {
    /// Mounts a tape.
    #[derive(Debug)]
    pub struct Apprentice {
        name: "apprentice",
        skills: [],
        mounted: [Tape],
    }
}

fn find<'a>(tools: &'a [Tool<'a>], name: &str) -> &'a Tool<'a> {
    let tool = tools.iter().find(|tool| tool.name == name);
    tool.unwrap_or_else(|| panic!("no tool {name}"))
}

fn is_described(tool: &Tool<'_>) {
    assert_eq!(tool.title, Some("Conversion"));
    assert_eq!(tool.description, "Convert a distance into another unit.");
    let properties = &tool.input_schema()["properties"];
    let text = |name: &str| properties[name]["description"].as_str();
    assert_eq!(text("distance"), Some("A number."));
    assert_eq!(text("from-unit"), Some("The unit it is in."));
    assert_eq!(text("to"), Some("The unit it should be in."));
    assert_eq!(text("precision"), None);
}

#[test]
fn a_skill_describes_its_own_tools_under_every_name() {
    let tools = Tailor::tools();
    is_described(find(tools, "convert"));
    is_described(find(tools, "spare_convert"));
    let reset = find(tools, "reset");
    assert_eq!(
        (reset.title, reset.description),
        (Some("Reset"), "Set the tape to zero.")
    );
    let measure = find(tools, "measure");
    assert_eq!(
        (measure.title, measure.description),
        (None, "Measure a distance.")
    );
    let properties = &measure.input_schema()["properties"];
    assert_eq!(properties["distance"]["description"], "In meters.");
}

#[test]
fn a_mounted_skill_describes_its_own_tools() {
    let mut apprentice = Apprentice::new();
    apprentice.mounted_mut().mount::<Tape>(&json!({})).unwrap();
    is_described(find(&apprentice.all_tools(), "convert"));
    is_described(find(&apprentice.mounted().tools(), "convert"));
}

#[test]
fn a_description_of_an_agent_has_the_texts_of_the_skill() {
    let described = Tailor::describe();
    let actions = described["actions"].as_array().unwrap();
    for name in ["convert", "spare_convert"] {
        let action = actions.iter().find(|action| action["name"] == name);
        let action = action.unwrap();
        assert_eq!(action["title"], "Conversion");
        assert_eq!(
            action["description"],
            "Convert a distance into another unit."
        );
        let to = &action["input_schema"]["properties"]["to"];
        assert_eq!(to["description"], "The unit it should be in.");
    }
}

/// Removes all descriptions.
fn undescribed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    skill_agent_schema::visit_schema_mut(&mut schema, &mut |_, part| {
        if let Value::Object(part) = part {
            part.retain(|key, _| key != "description");
        }
        skill_agent_schema::Descend::Into
    });
    schema
}

#[test]
fn the_schema_is_that_of_the_arguments_except_for_descriptions() {
    let described = find(Tailor::tools(), "convert").input_schema();
    let derived = Convert::SPEC.input_schema();
    assert_ne!(described, derived);
    assert_eq!(undescribed(described), undescribed(derived));
}

#[test]
fn the_description_of_the_action_itself_stays() {
    assert_eq!(
        (Convert::SPEC.title, Convert::SPEC.description),
        (Some("Convert"), "Convert.")
    );
    let derived = &Convert::SPEC.input_schema()["properties"];
    assert_eq!(
        derived["from-unit"]["description"],
        "The unit of a distance."
    );
}

#[test]
fn a_description_is_not_repeated_in_the_type_of_its_argument() {
    let to = &Convert::SPEC.input_schema()["properties"]["to"];
    assert_eq!(to["description"], "The unit of a distance.");
    assert_eq!(to.to_string().matches("The unit of a distance.").count(), 1);
}

#[timed_test::test]
async fn the_guard_of_a_server_sees_the_texts_of_the_skill() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let guard = move |attempt: &Attempt<'_>| {
        let description = attempt.tool.description.to_owned();
        log.lock().unwrap().push(description);
        Decision::Allow
    };
    let server = AgentServer::builder(Tailor::new())
        .guard(guard)
        .start()
        .await
        .unwrap();
    let convert = Convert {
        distance: 1.0,
        from: Unit::Mile,
        to: None,
        precision: 0,
    };
    server.call(convert).await.unwrap();
    let arguments = r#"{"distance":1,"from-unit":"mile"}"#;
    server.call_json("spare_convert", arguments).await.unwrap();
    let text = "Convert a distance into another unit.";
    assert_eq!(*seen.lock().unwrap(), [text, text]);
}

/// A skill that is written by hand describes the tools of actions that it did not write.
mod by_hand {
    use super::*;
    use skill_agent::core::{ActionEntry, ActionSpec, NoConfig, SkillSpec};

    #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
    pub struct Ruler {}

    /// Draw a line.
    #[action]
    pub fn draw(_: &Ruler) {}

    impl Skill for Ruler {
        type Config = NoConfig;
        const SPEC: SkillSpec = SkillSpec::new("ruler").actions(&[DRAW]).type_path("Ruler");
        const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Draw>()];
    }

    const DRAW: ActionSpec = Draw::SPEC.description("Draw a straight line.");

    agent! {
        /// Draws.
        pub struct Draftsman {
            name: "draftsman",
            skills: [Ruler],
        }
    }
}

#[test]
fn a_skill_by_hand_describes_its_own_tools() {
    let tool = &by_hand::Draftsman::tools()[0];
    assert_eq!(tool.description, "Draw a straight line.");
}
