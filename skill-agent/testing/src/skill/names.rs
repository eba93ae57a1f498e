//! Checks the names and texts of a skill.

use super::Problems;
use skill_core::__private::{
    handwritten_rules, is_name, is_pattern, is_requirement, is_tool_name, is_version, split,
};
use skill_core::{ActionSpec, Route, Skill, SkillSpec};
use std::collections::BTreeMap;

/// The maximum number of characters in a description, as in the Agent Skills standard. Lists for models truncate longer ones.
const LONGEST_DESCRIPTION: usize = 1_024;

pub(super) fn check<S: Skill>(problems: &mut Problems) {
    for rule in handwritten_rules::<S>() {
        if !rule.is_kept {
            problems.add(rule.field, rule.message);
        }
    }
    let spec = &S::SPEC;
    if !is_name(spec.name) {
        problems.add(
            "name",
            format_args!(
                "`{}` is not a name; a skill name is `[a-z][a-z0-9_-]*` with at most 64 characters",
                spec.name
            ),
        );
    }
    if let Some(version) = spec.version
        && !is_version(version)
    {
        problems.add(
            "version",
            format_args!("`{version}` is not a semantic version; write it like `1.2.0`"),
        );
    }
    lists(spec, problems);
    texts(spec, problems);
    for action in spec.actions {
        of_action(action, problems);
    }
    repeated_names(spec.actions, problems);
    repeated_routes(spec.actions, problems);
}

fn lists(spec: &SkillSpec, problems: &mut Problems) {
    for (index, signal) in spec.signals.iter().enumerate() {
        pattern(&format!("signals[{index}]"), signal, problems);
    }
    for (index, required) in spec.requires.iter().enumerate() {
        let path = format!("requires[{index}]");
        if !is_requirement(required) {
            problems.add(
                path,
                format_args!("`{required}` is not a requirement; write `name` or `name@^1.2`"),
            );
        } else if split(required).0 == spec.name {
            problems.add(path, "the skill requires itself; remove the requirement");
        }
    }
    for (index, tag) in spec.tags.iter().enumerate() {
        not_empty(&format!("tags[{index}]"), Some(tag), problems);
    }
}

fn texts(spec: &SkillSpec, problems: &mut Problems) {
    not_empty("title", spec.title, problems);
    not_empty("category", spec.category, problems);
    not_empty("instructions", spec.instructions, problems);
    description("description", spec.description, problems);
    if spec.instructions.is_some() && spec.description.is_none() {
        problems.add(
            "instructions",
            "instructions need a description, by which a model chooses the skill",
        );
    }
}

fn of_action(action: &ActionSpec, problems: &mut Problems) {
    let path = super::arguments::path_of(action);
    if !is_tool_name(action.name) {
        problems.add(
            format!("{path}.name"),
            format_args!(
                "`{}` is not the name of a tool: it has 1 to 64 letters, digits, `_` or `-`",
                action.name
            ),
        );
    }
    not_empty(&format!("{path}.title"), action.title, problems);
    description(
        &format!("{path}.description"),
        Some(action.description),
        problems,
    );
    for (index, route) in action.routes.iter().enumerate() {
        let path = format!("{path}.routes[{index}]");
        pattern(&path, &route.pattern, problems);
        if !(-100..=100).contains(&route.priority) {
            let priority = route.priority;
            problems.add(
                path,
                format_args!("the priority {priority} is out of range, expected -100..=100"),
            );
        }
    }
}

fn pattern(path: &str, pattern: &str, problems: &mut Problems) {
    if !is_pattern(pattern) {
        problems.add(
            path,
            format_args!("`{pattern}` is not a signal pattern; it is written like `order.*.paid` or `order.**`"),
        );
    }
}

fn not_empty(path: &str, text: Option<&str>, problems: &mut Problems) {
    if text.is_some_and(|text| text.trim().is_empty()) {
        problems.add(path, "the text is empty");
    }
}

fn description(path: &str, text: Option<&str>, problems: &mut Problems) {
    not_empty(path, text, problems);
    let length = text.map_or(0, |text| text.chars().count());
    if length > LONGEST_DESCRIPTION {
        problems.add(
            path,
            format_args!("the description has {length} characters, and at most {LONGEST_DESCRIPTION} are shown to a model; move the rest into `instructions`"),
        );
    }
}

/// Checks that no two actions share a tool name.
fn repeated_names(actions: &[ActionSpec], problems: &mut Problems) {
    let mut first = BTreeMap::new();
    for (index, action) in actions.iter().enumerate() {
        if let Some(other) = first.insert(action.name, action.type_path) {
            problems.add(
                format!("actions[{index}].name"),
                format_args!(
                    "two actions have the tool name `{}`: `{other}` and `{}`",
                    action.name, action.type_path
                ),
            );
        }
    }
}

/// Checks that no two routes share a pattern and a priority.
fn repeated_routes(actions: &[ActionSpec], problems: &mut Problems) {
    let mut first: BTreeMap<(&str, i8), &str> = BTreeMap::new();
    for action in actions {
        for (
            index,
            Route {
                pattern, priority, ..
            },
        ) in action.routes.iter().enumerate()
        {
            if let Some(other) = first.insert((pattern, *priority), action.name) {
                problems.add(
                    format!("{}.routes[{index}]", super::arguments::path_of(action)),
                    format_args!("`{pattern}` with the priority {priority} is also a route of `{other}`; give one of them another priority"),
                );
            }
        }
    }
}
