//! Laws of `Mounted`, and a comparison with a plain list: after every step both hold the same skills and states.

use crate::common::json_mutation::cases;
use crate::common::mounted_model::*;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use skill_agent::core::Registry;
use skill_agent::prelude::*;

/// Applies a step of the model to a `Mounted`.
fn apply(skills: &mut Mounted, step: &Step) -> Option<Events> {
    let increment = || Instruction::new("increment", json!({}));
    match step {
        Step::Mount(skill, options) => (SKILLS[*skill].mount)(skills, options).ok(),
        Step::Unmount(skill) => (SKILLS[*skill].unmount)(skills).ok(),
        // the registry is no part of the model: to unmount a name that is in neither is an error, and has no effect
        Step::UnmountNamed(name) => match skills.unmount_named(name) {
            Err(MountError::Unregistered { .. } | MountError::NotMounted { .. }) => {
                Some(Vec::new())
            }
            unmounted => unmounted.ok(),
        },
        Step::Replace(skill, options) => (SKILLS[*skill].replace)(skills, options).ok(),
        Step::Enable(name) => skills.enable(name).ok(),
        Step::Disable(name) => skills.disable(name).ok(),
        Step::Deliver(ty) => skills
            .deliver(&Signal::new(*ty, json!({})))
            .ok()
            .map(Option::unwrap_or_default),
        Step::DeliverTo(name, ty) => {
            let delivered = skills.deliver_to(name, &Signal::new(*ty, json!({})));
            delivered.ok().map(Option::unwrap_or_default)
        }
        Step::Increment => skills
            .call_json("increment", "{}")
            .ok()
            .map(|outcome| outcome.directives),
        Step::Run(times, wrong) => {
            let mut run: Vec<_> = (0..*times).map(|_| increment()).collect();
            run.extend(wrong.then(|| Instruction::new("increment", json!({ "surprise": 1 }))));
            skills.run(&run).ok().map(|outcome| outcome.directives)
        }
        Step::Restore => restored(skills).map(|again| {
            *skills = again;
            Vec::new()
        }),
    }
    .map(|directives| directives.iter().map(events).collect())
}

/// Restores the skills from their JSON, with a registry of the mounted types: two types of the list share a state key.
fn restored(skills: &Mounted) -> Option<Mounted> {
    let state = serde_json::to_value(skills).unwrap();
    let registry = skills.specs().fold(Registry::default(), |registry, spec| {
        let kinds = Registry::of::<AllSkills>();
        let is = |entry: &&skill_agent::core::Mountable| entry.spec().type_path == spec.type_path;
        registry.with_entry(*kinds.entries().iter().find(is).unwrap())
    });
    let mut again = Mounted::with_registry(registry);
    again.set(&state).ok().map(|()| again)
}

fn events(directive: &Directive) -> String {
    match directive {
        Directive::RegisterAction {
            skill,
            action,
            origin,
            ..
        } => {
            assert_eq!(
                (&origin.skill, &origin.tags[..]),
                (skill, &["skill".into()][..])
            );
            format!("+{skill}.{action}")
        }
        Directive::DeregisterAction {
            skill,
            action,
            origin,
            ..
        } => {
            assert_eq!(
                (&origin.skill, &origin.tags[..]),
                (skill, &["skill".into()][..])
            );
            format!("-{skill}.{action}")
        }
        Directive::Emit(signal) => signal.ty().to_owned(),
        Directive::Reply(reply) => reply.signal.ty().to_owned(),
        other => panic!("{other:?}"),
    }
}

fn assert_same(skills: &Mounted, model: &Model) -> Result<(), TestCaseError> {
    let names: Vec<_> = model.0.iter().map(|row| row.skill().name).collect();
    prop_assert_eq!(skills.names().collect::<Vec<_>>(), names);
    let states = model
        .0
        .iter()
        .map(|row| (row.skill().key.to_owned(), row.state.clone()));
    let states: Map<String, Value> = states.collect();
    // as text, because the order of the keys is the order of mounting
    prop_assert_eq!(
        serde_json::to_string(skills).unwrap(),
        Value::Object(states).to_string()
    );
    for skill in &SKILLS {
        let row = model.at(skill.name).map(|at| &model.0[at]);
        prop_assert_eq!(skills.is_mounted(skill.name), row.is_some());
        prop_assert_eq!(
            skills.is_enabled(skill.name),
            row.is_some_and(|row| row.enabled)
        );
    }
    let enabled = || model.0.iter().filter(|row| row.enabled);
    let tools = enabled().flat_map(|row| row.skill().actions).copied();
    let tools: Vec<_> = tools.filter(|name| *name != "reset").collect();
    prop_assert_eq!(
        skills
            .tools()
            .iter()
            .map(|tool| tool.name)
            .collect::<Vec<_>>(),
        tools
    );
    let registered: Vec<_> = enabled().flat_map(|row| row.events('+')).collect();
    prop_assert_eq!(
        skills
            .registrations()
            .iter()
            .map(events)
            .collect::<Vec<_>>(),
        registered
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn mounted_skills_behave_like_a_plain_list(steps in prop::collection::vec(step(), 1..40)) {
        let mut skills = Mounted::new();
        let mut model = Model::default();
        for step in &steps {
            prop_assert_eq!(apply(&mut skills, step), model.apply(step), "{:?}", step);
            assert_same(&skills, &model)?;
        }
    }

    #[test]
    fn a_failed_step_changes_nothing(steps in prop::collection::vec(step(), 1..40)) {
        let mut skills = Mounted::new();
        for step in &steps {
            let before = (skills.clone(), format!("{skills:?}"));
            if apply(&mut skills, step).is_none() {
                prop_assert_eq!(&skills, &before.0, "{:?}", step);
                prop_assert_eq!(format!("{skills:?}"), before.1, "{:?}", step);
            }
        }
    }

    #[test]
    fn a_clone_and_the_original_are_independent(
        first in prop::collection::vec(step(), 1..20),
        then in prop::collection::vec(step(), 1..20),
    ) {
        let mut skills = Mounted::new();
        first.iter().for_each(|step| drop(apply(&mut skills, step)));
        let (mut copy, before) = (skills.clone(), format!("{skills:?}"));
        prop_assert_eq!(&copy, &skills);
        then.iter().for_each(|step| drop(apply(&mut copy, step)));
        prop_assert_eq!(format!("{skills:?}"), before);
        // the same steps on the original make both equal again
        then.iter().for_each(|step| drop(apply(&mut skills, step)));
        prop_assert_eq!(&copy, &skills);
    }

    #[test]
    fn register_and_deregister_directives_add_up_to_the_registrations(steps in prop::collection::vec(step(), 1..40)) {
        let (mut skills, mut registered) = (Mounted::new(), Vec::new());
        for step in steps.iter().filter(|step| !matches!(step, Step::Restore)) {
            for events in apply(&mut skills, step).unwrap_or_default() {
                if let Some(action) = events.strip_prefix('+') {
                    prop_assert!(!registered.contains(&action.to_owned()), "{} twice", action);
                    registered.push(action.to_owned());
                } else if let Some(action) = events.strip_prefix('-') {
                    let at = registered.iter().position(|name| name == action);
                    registered.remove(at.expect("only what is registered is deregistered"));
                }
            }
            let mut now: Vec<_> = skills.registrations().iter().map(|directive| events(directive)[1..].to_owned()).collect();
            now.sort();
            registered.sort();
            prop_assert_eq!(&now, &registered);
        }
    }
}
