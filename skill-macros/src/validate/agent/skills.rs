//! The rules for the list of skills.

use super::super::{compact_text, report, report_at};
use super::{ListedSkill, literals};
use crate::conditions::is_cfg;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::{ConfigField, SkillEntry};
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::Path;
use syn::ext::IdentExt;
use syn::visit::Visit;

/// Skills must have different fields. A type may be listed again only with an alias.
pub(super) fn skills(
    entries: Vec<SkillEntry>,
    base: &[String],
    mounts: bool,
    errors: &mut Errors,
) -> Vec<ListedSkill> {
    let mut listed: Vec<ListedSkill> = Vec::new();
    let mut seen = Seen::default();
    for entry in entries {
        for attr in &entry.attrs {
            if !is_cfg(attr) {
                report(messages::entry_attribute(), attr.path(), errors);
            }
        }
        let Some(last) = entry.path.segments.last() else {
            continue;
        };
        if names_dyn(&entry.path) {
            report(messages::dyn_skill(), &entry.path, errors);
            continue;
        }
        if let Some(word) = module(&entry.path) {
            report(messages::module_as_skill(&word), &entry.path, errors);
            continue;
        }
        if let Some(alias) = &entry.alias
            && !check_alias(alias, errors)
        {
            continue;
        }
        let field = entry
            .alias
            .clone()
            .unwrap_or_else(|| names::state_field(&last.ident));
        config_once(&entry.config, errors);
        let skill = ListedSkill {
            cfg: entry.attrs.into_iter().filter(is_cfg).collect(),
            span: last.ident.span(),
            path: entry.path,
            field,
            alias: entry.alias,
            number: 0,
            literals: literals(&entry.config),
            config: entry.config,
            is_deferred: entry.is_deferred,
        };
        let is_taken = mounts && skill.field == "skills";
        if is_taken {
            let at = skill.span;
            report_at(messages::field_is_mounted("skills"), at, errors);
        } else if is_distinct(&skill, &mut seen, base, errors) {
            listed.push(skill);
        }
    }
    number(&mut listed);
    listed
}

/// Returns whether the path contains a trait object.
pub(super) fn names_dyn(path: &Path) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_path(path);
    find.0
}

/// Returns the last word of a path if it is a keyword, such as `self` or `crate`, because it is then not a type.
pub(super) fn module(path: &Path) -> Option<String> {
    let last = path.segments.last()?.ident.to_string();
    ["self", "Self", "crate", "super"]
        .contains(&&*last)
        .then_some(last)
}

/// An alias must be usable as a field, a method, a state key and a prefix.
fn check_alias(alias: &Ident, errors: &mut Errors) -> bool {
    let name = names::plain(alias);
    let compact_text = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && name.len() <= 32;
    let message = if syn::parse_str::<Ident>(&name).is_err() {
        messages::alias_is_keyword(&name)
    } else if !compact_text {
        messages::bad_alias(&name)
    } else if METHODS.contains(&&*name) {
        messages::reserved_alias(&name)
    } else {
        return true;
    };
    report(message, alias, errors);
    false
}

/// The paths and fields of the list so far, which must be distinct.
#[derive(Default)]
struct Seen {
    /// The paths of the skills without an alias, and whether they are deferred.
    paths: BTreeMap<String, (Span, bool)>,
    /// The names of the state's fields.
    fields: BTreeMap<String, Span>,
}

/// Reports a clash with an earlier entry. Entries under `#[cfg]` may exclude each other, so only rustc checks their clashes.
fn is_distinct(skill: &ListedSkill, seen: &mut Seen, base: &[String], errors: &mut Errors) -> bool {
    let (path, field) = (compact_text(&skill.path), skill.field.unraw().to_string());
    let at = skill.alias.as_ref().map_or(skill.span, Ident::span);
    if field == "base" {
        report_at(messages::field_is_reserved(&field, &path), at, errors);
        return false;
    }
    if base.contains(&field) {
        report_at(messages::field_is_base(&field, &path), at, errors);
        return false;
    }
    if !skill.cfg.is_empty() {
        return true;
    }
    if skill.alias.is_none()
        && let Some((first, was_deferred)) = seen
            .paths
            .insert(path.clone(), (skill.span, skill.is_deferred))
    {
        let twice = if was_deferred == skill.is_deferred {
            messages::skill_twice(&path, &field)
        } else {
            messages::skill_deferred_twice(&path)
        };
        report_at(messages::skill_here(&path), first, errors);
        report(twice, &skill.path, errors);
        return false;
    }
    if let Some(first) = seen.fields.insert(field.clone(), at) {
        report_at(messages::listed_here(&field), first, errors);
        report_at(messages::field_twice(&field, &path), at, errors);
        return false;
    }
    true
}

/// Numbers the instances of each type. The instance without an alias has number 0, and so does the only instance of a type. If
/// all of several instances have aliases, there is no number 0.
fn number(listed: &mut [ListedSkill]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for skill in &*listed {
        *counts.entry(compact_text(&skill.path)).or_default() += 1;
    }
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for skill in listed {
        let path = compact_text(&skill.path);
        if counts[&path] > 1 && skill.alias.is_some() {
            let number = next.entry(path).or_default();
            *number += 1;
            skill.number = *number;
        }
    }
}

/// A configuration may set a field only once. Both places are marked.
pub(super) fn config_once(fields: &[ConfigField], errors: &mut Errors) {
    for (index, field) in fields.iter().enumerate() {
        if let Some(first) = fields[..index]
            .iter()
            .find(|first| first.ident == field.ident)
        {
            let name = field.ident.to_string();
            report(messages::repeated_here(&name), &first.ident, errors);
            report(messages::config_twice(&name), &field.ident, errors);
        }
    }
}

/// The methods of every agent and of `skill_agent::manifest::Documents`. An alias must not equal one of them, because it becomes
/// a method too.
const METHODS: &[&str] = &[
    "actions",
    "all_tools",
    "allow_skills",
    "builder",
    "call_json",
    "call_json_stamped",
    "clone",
    "cmd",
    "cmd_stamped",
    "config",
    "deliver",
    "describe",
    "documents",
    "from_state_json",
    "id",
    "instance",
    "mounted",
    "mounted_mut",
    "new",
    "replace_state_json",
    "routes",
    "run",
    "run_stamped",
    "schema",
    "set",
    "set_json",
    "skill_config",
    "skill_specs",
    "skill_state",
    "skills",
    "state",
    "state_json",
    "state_of",
    "state_value",
    "tools",
    "validate",
    "with_id",
];

#[cfg(test)]
mod tests {
    use super::METHODS;

    #[test]
    fn every_method_of_an_agent_is_reserved() {
        let source = include_str!("../../../../skill-core/src/agent/mod.rs");
        let file = syn::parse_file(source).unwrap();
        let agent = file.items.iter().find_map(|item| match item {
            syn::Item::Trait(item) if item.ident == "Agent" => Some(item),
            _ => None,
        });
        for item in &agent.unwrap().items {
            if let syn::TraitItem::Fn(method) = item {
                let name = method.sig.ident.to_string();
                assert!(
                    name.starts_with("__") || METHODS.contains(&&*name),
                    "{name}"
                );
            }
        }
    }
}
