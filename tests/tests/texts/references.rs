//! References in the instructions of listed skills.

use crate::skills::*;
use fixture_chat::Chat;
use fixture_speech::Transcript;
use skill_agent::manifest::selection::{Activations, SelectionPolicy};
use skill_agent::manifest::{Catalog, Dialect};
use skill_agent::prelude::*;

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes, Journal, ByHand, Braces],
    }
}

agent! {
    struct Aliased {
        name: "aliased",
        skills: [Journal as diary, Notes as left, #[cfg(any())] Notes as middle],
    }
}

agent! {
    struct TwoInstances {
        name: "two_instances",
        skills: [Notes as left, Notes, #[cfg(all())] Notes as right],
    }
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Transcript, Chat as talk],
    }
}

fn instructions<G: Agent>() -> Vec<&'static str> {
    let skills = G::skills().iter();
    skills.filter_map(|spec| spec.instructions).collect()
}

#[test]
fn references_become_the_names_of_tools() {
    assert_eq!(
        instructions::<Writer>(),
        [
            "Write with `record`, and remove with `undo`. {Record}, {record}, {\"A\": 1}.",
            "End the day with `record`, after `begin`.",
            "First `record`, {Then} rest.",
            "Use {Record} and {{Record}}.",
        ]
    );
}

#[test]
fn an_alias_is_a_part_of_the_name_also_of_a_required_skill() {
    assert_eq!(
        instructions::<Aliased>(),
        [
            "End the day with `left_record`, after `diary_begin`.",
            "Write with `left_record`, and remove with `left_undo`. {Record}, {record}, {\"A\": 1}.",
        ]
    );
    assert_eq!(
        instructions::<Clerk>(),
        ["Read the lines with `talk_history`."]
    );
}

#[test]
fn each_instance_has_its_own_text() {
    let expected = ["left_", "", "right_"].map(|alias| {
        format!(
            "Write with `{alias}record`, and remove with `{alias}undo`. {{Record}}, {{record}}, {{\"A\": 1}}."
        )
    });
    assert_eq!(instructions::<TwoInstances>(), expected);
}

#[test]
fn every_name_in_a_text_is_a_tool() {
    for instructions in instructions::<TwoInstances>() {
        for name in instructions.split('`').skip(1).step_by(2) {
            let mut tools = TwoInstances::tools().iter();
            assert!(tools.any(|tool| tool.name == name), "{name}");
        }
    }
}

#[test]
fn the_spec_of_the_skill_itself_has_the_text_as_it_was_written() {
    assert_eq!(Notes::SPEC.instructions, Some(SOURCE));
}

#[test]
fn descriptions_and_selections_have_the_names_of_tools() {
    let expected = "End the day with `left_record`, after `diary_begin`.";
    assert_eq!(Aliased::describe()["skills"][0]["instructions"], expected);
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .agent::<Aliased>()
        .load();
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let selection = catalog.select("diary", &none, &policy);
    let text = catalog.selection_text(&selection).text;
    assert!(text.contains(expected), "{text}");
    let selected = &selection.items[0].candidate;
    assert_eq!(selected.text_bytes, expected.len());
}
