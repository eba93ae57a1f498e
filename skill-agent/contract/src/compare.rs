//! Compares two contracts.

use super::change::{Change, ChangeClass, Changes, REWRITTEN};
use super::entries::Entries;
use super::file::{Contract, RouteEntry, ToolEntry};
use super::schema::{Role, schema_changes};
use super::version::{Owner, owner_of_state};
use serde_json::{Value, json};
use skill_core::process::tokens::tokens;
use std::collections::BTreeMap;

impl Contract {
    /// Returns the changes from this contract to a newer one.
    #[must_use]
    pub fn changes_to(&self, new: &Self) -> Changes {
        let mut comparison = ContractComparison {
            old: self,
            new,
            list: Vec::new(),
        };
        comparison.agent();
        comparison.skills();
        comparison.tools("tools.", &self.tools, &new.tools, None);
        comparison.routes("routes.", &self.routes, &new.routes, &|action, route| {
            route_owner(self, new, action, route)
        });
        comparison.mountable();
        comparison.state();
        if comparison.list.is_empty() && self != new {
            let owner = Owner::Agent(None);
            comparison.push(ChangeClass::Text, "contract".to_owned(), REWRITTEN, &owner);
        }
        let mut list = comparison.list;
        list.sort_by(|one, other| (one.class, &one.path).cmp(&(other.class, &other.path)));
        Changes {
            list,
            tool_tokens_before: self.tool_tokens(),
            tool_tokens_after: new.tool_tokens(),
        }
    }

    /// Estimates the size of the tool list in tokens: names, descriptions and argument schemas.
    #[must_use]
    pub fn tool_tokens(&self) -> usize {
        let shown = |(name, tool): (&String, &ToolEntry)| {
            json!({
                "name": name,
                "description": tool.description,
                "input_schema": tool.arguments,
            })
        };
        let list: Value = self.tools.iter().map(shown).collect();
        tokens(list.to_string().len())
    }
}

/// Returns the owner of a route, which is the skill of the route's action.
fn route_owner(old: &Contract, new: &Contract, action: &str, route: &RouteEntry) -> Owner {
    let tool = old.tools.get(action).or_else(|| new.tools.get(action));
    let skill = tool.map_or(route.skill.as_ref(), |tool| tool.skill.as_ref());
    Owner::Agent(skill.cloned())
}

/// Two contracts and the changes found so far.
pub(super) struct ContractComparison<'c> {
    pub(super) old: &'c Contract,
    pub(super) new: &'c Contract,
    list: Vec<Change>,
}

impl ContractComparison<'_> {
    pub(super) fn push(
        &mut self,
        class: ChangeClass,
        path: String,
        message: impl Into<String>,
        owner: &Owner,
    ) {
        let needs_version = class == ChangeClass::Breaking;
        let version_needed = needs_version
            .then(|| owner.version_needed(self.old, self.new))
            .flatten();
        self.list.push(Change {
            class,
            path,
            message: message.into(),
            version_needed,
        });
    }

    /// Compares the schemas of the values at a path.
    pub(super) fn schema(
        &mut self,
        role: Role,
        path: &str,
        old: &Value,
        new: &Value,
        owner: &Owner,
    ) {
        for change in schema_changes(role, old, new) {
            let path = joined(path, &change.path);
            self.push(change.class, path, change.message, owner);
        }
    }

    fn state(&mut self) {
        for change in schema_changes(Role::State, &self.old.state, &self.new.state) {
            let owner = owner_of_state(&change.path, self.old, self.new);
            self.push(
                change.class,
                joined("state", &change.path),
                change.message,
                &owner,
            );
        }
    }

    /// Compares the tools of the agent, or of one mountable skill.
    pub(super) fn tools(
        &mut self,
        section: &str,
        old: &BTreeMap<String, ToolEntry>,
        new: &BTreeMap<String, ToolEntry>,
        owner: Option<&Owner>,
    ) {
        let renamed = |old_tool: &ToolEntry| {
            let others = new.iter().filter(|(name, _)| !old.contains_key(*name));
            others
                .clone()
                .find(|(_, tool)| *tool == old_tool)
                .map(|(name, _)| name)
        };
        let own = |tool: &ToolEntry| {
            owner
                .cloned()
                .unwrap_or_else(|| Owner::Agent(tool.skill.clone()))
        };
        let entries = Entries::of(old, new);
        let names: Vec<_> = entries
            .gone
            .iter()
            .filter_map(|(_, tool)| renamed(tool))
            .collect();
        for (name, tool) in &entries.gone {
            let message = match renamed(tool) {
                Some(new) => format!("gone; `{new}` is new with the same content"),
                None => "gone".to_owned(),
            };
            self.push(
                ChangeClass::Breaking,
                format!("{section}{name}"),
                message,
                &own(tool),
            );
        }
        for (name, tool) in &entries.added {
            if !names.contains(name) {
                self.push(
                    ChangeClass::Additive,
                    format!("{section}{name}"),
                    "new",
                    &own(tool),
                );
            }
        }
        for (name, old, new) in &entries.kept {
            self.tool(&format!("{section}{name}"), old, new, &own(old));
        }
    }

    fn tool(&mut self, path: &str, old: &ToolEntry, new: &ToolEntry, owner: &Owner) {
        let texts = [
            ("title", old.title.as_ref(), new.title.as_ref()),
            (
                "description",
                Some(&old.description),
                Some(&new.description),
            ),
            ("skill", old.skill.as_ref(), new.skill.as_ref()),
        ];
        self.texts(path, &texts, owner);
        self.hints(path, old, new, owner);
        let arguments = format!("{path}.arguments");
        self.schema(
            Role::Arguments,
            &arguments,
            &old.arguments,
            &new.arguments,
            owner,
        );
        let answer = format!("{path}.answer");
        match (&old.answer, &new.answer) {
            (Some(old), Some(new)) => self.schema(Role::Answer, &answer, old, new, owner),
            (Some(_), None) => {
                self.push(ChangeClass::Breaking, answer, "no longer described", owner)
            }
            (None, Some(_)) => self.push(ChangeClass::Additive, answer, "described now", owner),
            (None, None) => {}
        }
    }

    /// Compares hints: `read_only` and `idempotent` are promises to callers, and the others are warnings.
    fn hints(&mut self, path: &str, old: &ToolEntry, new: &ToolEntry, owner: &Owner) {
        let is_promise = |hint: &str| matches!(hint, "read_only" | "idempotent");
        let changed = |one: &ToolEntry, other: &ToolEntry| {
            let hints = one.hints.iter().filter(|hint| !other.hints.contains(hint));
            hints.cloned().collect::<Vec<_>>()
        };
        let gone = changed(old, new).into_iter().map(|hint| (hint, false));
        let added = changed(new, old).into_iter().map(|hint| (hint, true));
        for (hint, is_set) in gone.chain(added) {
            let class = if is_promise(&hint) == is_set {
                ChangeClass::Additive
            } else {
                ChangeClass::Breaking
            };
            let message = if is_set { "now set" } else { "no longer set" };
            self.push(class, format!("{path}.hints.{hint}"), message, owner);
        }
    }

    /// Compares texts, key by key.
    pub(super) fn texts<T: PartialEq>(
        &mut self,
        path: &str,
        texts: &[(&str, Option<T>, Option<T>)],
        owner: &Owner,
    ) {
        for (key, old, new) in texts {
            let message = match (old, new) {
                (old, new) if old == new => continue,
                (None, _) => "new",
                (_, None) => "gone",
                _ => "changed",
            };
            self.push(ChangeClass::Text, format!("{path}.{key}"), message, owner);
        }
    }
}

/// Appends a relative path, which may start with an index.
fn joined(path: &str, within: &str) -> String {
    match within {
        "" => path.to_owned(),
        within if within.starts_with('[') => format!("{path}{within}"),
        within => format!("{path}.{within}"),
    }
}
