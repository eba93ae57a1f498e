//! Laws that hold after every sequence of steps.

use super::{doc, empty, names, requiring, with_tools};
use crate::common::json_mutation::cases;
use crate::common::mounted_fixtures::{Auth, Counter, Search};
use proptest::prelude::*;
use skill_agent::core::Registry;
use skill_agent::manifest::{MountDocs, SkillDoc};
use skill_agent::prelude::*;

/// One step of the property test below. A `usize` is an index into [`NAMES`], except in `Skill`.
#[derive(Clone, Debug)]
enum Step {
    Doc(usize, bool),
    Replace(usize),
    Skill(usize),
    Named(usize),
    Unmount(usize),
    Disable(usize),
    Enable(usize),
    Set(Vec<usize>),
}

const NAMES: [&str; 6] = ["auth", "search", "counter", "release", "review", "count-up"];

/// Returns the document named `NAMES[index]`; `new` selects version 2.0.0 instead of 1.0.0.
fn document(index: usize, new: bool) -> SkillDoc {
    let mut doc = match NAMES[index] {
        "release" => requiring("release", &["review@^1", "auth"]),
        "review" => requiring("review", &["search"]),
        "count-up" => with_tools("count-up", &["increment"]),
        name => doc(name),
    };
    doc.version = Some(if new { "2.0.0" } else { "1.0.0" }.into());
    doc
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = || 0..NAMES.len();
    let step = prop_oneof![
        4 => (index(), any::<bool>()).prop_map(|(index, new)| Step::Doc(index, new)),
        1 => index().prop_map(Step::Replace),
        3 => (0..3_usize).prop_map(Step::Skill),
        2 => index().prop_map(Step::Named),
        3 => index().prop_map(Step::Unmount),
        1 => index().prop_map(Step::Disable),
        1 => index().prop_map(Step::Enable),
        1 => proptest::collection::vec(index(), 1..4).prop_map(Step::Set),
    ];
    proptest::collection::vec(step, 1..30)
}

/// Applies a step. Returns whether it succeeded.
fn apply(skills: &mut Mounted, step: &Step) -> bool {
    match step {
        Step::Doc(index, new) => skills.mount_doc(document(*index, *new)).is_ok(),
        Step::Replace(index) => skills.replace_doc(document(*index, true)).is_ok(),
        Step::Skill(0) => skills.mount::<Auth>(&empty()).is_ok(),
        Step::Skill(1) => skills.mount::<Search>(&empty()).is_ok(),
        Step::Skill(_) => skills.mount::<Counter>(&empty()).is_ok(),
        Step::Named(index) => skills.mount_named(NAMES[*index], &empty()).is_ok(),
        Step::Unmount(index) => skills.unmount_named(NAMES[*index]).is_ok(),
        Step::Disable(index) => skills.disable(NAMES[*index]).is_ok(),
        Step::Enable(index) => skills.enable(NAMES[*index]).is_ok(),
        Step::Set(set) => {
            let set = set.iter().map(|index| NAMES[*index]);
            skills.mount_all_named(set, &empty()).is_ok()
        }
    }
}

/// Checks the rules that every `Mounted` follows, using only its specs and documents.
fn check_invariants(skills: &Mounted) -> Result<(), TestCaseError> {
    let names = names(skills);
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    prop_assert_eq!(unique.len(), names.len());
    let keys: Vec<_> = skills.specs().map(|spec| spec.state_key).collect();
    let state = serde_json::to_value(skills).unwrap();
    prop_assert_eq!(state.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
    for name in &names {
        let Some(doc) = skills.doc(name) else {
            let requires = skills.spec(name).unwrap().requires;
            prop_assert!(requires.is_empty() || names.contains(&"auth"));
            continue;
        };
        for required in doc.requires.iter() {
            let required = required.split('@').next().unwrap();
            prop_assert!(names.contains(&required), "{} without {}", name, required);
        }
        let has_tool = |tool: &str| {
            let mut actions = skills.specs().flat_map(|spec| spec.actions);
            actions.any(|action| action.name == tool)
        };
        let has_tools = doc.requires_tools.iter().all(|tool| has_tool(tool));
        prop_assert!(has_tools);
        let needs_counter = !doc.requires_tools.is_empty();
        let is_offered =
            skills.is_enabled(name) && (!needs_counter || skills.is_enabled("counter"));
        prop_assert_eq!(skills.offered_docs().any(|doc| doc.id == *name), is_offered);
    }
    for name in &names {
        let again = skills.clone().mount_named(name, &empty());
        prop_assert_eq!(
            again.map(|directives| directives.len()).ok(),
            Some(0),
            "{}",
            name
        );
    }
    if let Some(release) = skills.doc("release") {
        prop_assert_eq!(release.requires.len(), 2);
        let review = skills.doc("review").unwrap();
        prop_assert_eq!(review.version.as_deref(), Some("1.0.0"));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn the_rules_always_hold_and_a_failed_step_changes_nothing(steps in steps()) {
        let mut skills = Mounted::with_registry(Registry::of::<(Auth, Search, Counter)>());
        for index in 3..NAMES.len() {
            skills.register_doc(document(index, false)).unwrap();
        }
        for step in &steps {
            let before = skills.clone();
            if !apply(&mut skills, step) {
                prop_assert_eq!(&skills, &before, "{:?}", step);
            }
            check_invariants(&skills)?;
        }
    }
}
