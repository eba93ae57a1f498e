//! Compares the agents themselves, their skills and their routes.

use super::change::ChangeClass::{Additive, Breaking, Text};
use super::compare::ContractComparison;
use super::entries::Entries;
use super::file::{MountableEntry, RouteEntry, Routes, SkillEntry};
use super::schema::Role;
use super::version::Owner;
use skill_core::__private::{is_higher, split};
use std::collections::BTreeMap;

impl ContractComparison<'_> {
    pub(super) fn agent(&mut self) {
        let (old, new) = (&self.old.agent, &self.new.agent);
        let owner = Owner::Agent(None);
        if old.name != new.name {
            let message = format!("was `{}`, is `{}`", old.name, new.name);
            self.push(Breaking, "agent.name".to_owned(), message, &owner);
        }
        self.version("agent.version", [&old.version, &new.version], &owner);
        let texts = [(
            "description",
            old.description.as_ref(),
            new.description.as_ref(),
        )];
        self.texts("agent", &texts, &owner);
    }

    pub(super) fn skills(&mut self) {
        let (old, new) = (self.old, self.new);
        let owner = |name: &str| Owner::Agent(Some(name.to_owned()));
        let entries = Entries::of(&old.skills, &new.skills);
        for (name, _) in entries.gone {
            self.push(Breaking, format!("skills.{name}"), "gone", &owner(name));
        }
        for (name, _) in entries.added {
            self.push(Additive, format!("skills.{name}"), "new", &owner(name));
        }
        for (name, old, new) in entries.kept {
            self.skill(&format!("skills.{name}"), old, new, &owner(name));
        }
    }

    pub(super) fn mountable(&mut self) {
        let (old, new) = (self.old, self.new);
        let entries: Entries<'_, MountableEntry> = Entries::of(&old.mountable, &new.mountable);
        let owner = |name: &str| Owner::Mountable(name.to_owned());
        for (name, _) in entries.gone {
            // the agent can no longer mount the skill, whatever the skill's version
            let owner = Owner::Agent(None);
            self.push(Breaking, format!("mountable.{name}"), "gone", &owner);
        }
        for (name, _) in entries.added {
            self.push(Additive, format!("mountable.{name}"), "new", &owner(name));
        }
        for (name, old, new) in entries.kept {
            let (path, owner) = (format!("mountable.{name}"), owner(name));
            self.skill(&path, &old.skill, &new.skill, &owner);
            self.tools(
                &format!("{path}.tools."),
                &old.tools,
                &new.tools,
                Some(&owner),
            );
            let routes = format!("{path}.routes.");
            self.routes(&routes, &old.routes, &new.routes, &|_, _| owner.clone());
        }
    }

    fn skill(&mut self, path: &str, old: &SkillEntry, new: &SkillEntry, owner: &Owner) {
        self.version(
            &format!("{path}.version"),
            [&old.version, &new.version],
            owner,
        );
        let texts = [
            ("title", old.title.as_ref(), new.title.as_ref()),
            (
                "description",
                old.description.as_ref(),
                new.description.as_ref(),
            ),
            (
                "instructions",
                old.instructions.as_ref(),
                new.instructions.as_ref(),
            ),
        ];
        self.texts(path, &texts, owner);
        if old.state_key != new.state_key {
            let message = format!("was `{}`, is `{}`", old.state_key, new.state_key);
            self.push(Breaking, format!("{path}.state_key"), message, owner);
        }
        // every caller but the model of a chat has the tools as before
        match (old.deferred, new.deferred) {
            (false, true) => self.push(Text, format!("{path}.deferred"), "new", owner),
            (true, false) => self.push(Text, format!("{path}.deferred"), "gone", owner),
            _ => {}
        }
        self.requirements(path, old, new, owner);
        for pattern in old
            .signals
            .iter()
            .filter(|pattern| !new.signals.contains(pattern))
        {
            self.push(Breaking, format!("{path}.signals.{pattern}"), "gone", owner);
        }
        for pattern in new
            .signals
            .iter()
            .filter(|pattern| !old.signals.contains(pattern))
        {
            self.push(Additive, format!("{path}.signals.{pattern}"), "new", owner);
        }
        let config = format!("{path}.config");
        match (&old.config, &new.config) {
            (Some(old), Some(new)) => self.schema(Role::Configuration, &config, old, new, owner),
            (Some(_), None) => self.push(Breaking, config, "gone", owner),
            (None, Some(_)) => self.push(Additive, config, "new", owner),
            (None, None) => {}
        }
    }

    fn requirements(&mut self, path: &str, old: &SkillEntry, new: &SkillEntry, owner: &Owner) {
        let by_name = |skill: &SkillEntry| -> BTreeMap<String, String> {
            let requirements = skill.requires.iter();
            let parts = requirements.map(|text| split(text));
            parts
                .map(|(name, versions)| (name.to_owned(), versions.unwrap_or_default().to_owned()))
                .collect()
        };
        let (old, new) = (by_name(old), by_name(new));
        let entries = Entries::of(&old, &new);
        let path = |name: &str| format!("{path}.requires.{name}");
        for (name, _) in entries.gone {
            self.push(Additive, path(name), "no longer required", owner);
        }
        for (name, _) in entries.added {
            self.push(Breaking, path(name), "now required", owner);
        }
        for (name, old, new) in entries.kept {
            match (old.as_str(), new.as_str()) {
                (old, new) if old == new => {}
                (old, "") => {
                    let message = format!("was `{old}`, is any version");
                    self.push(Additive, path(name), message, owner);
                }
                ("", new) => {
                    let message = format!("was any version, is `{new}`");
                    self.push(Breaking, path(name), message, owner);
                }
                (old, new) => {
                    let message = format!("cannot be compared: was `{old}`, is `{new}`");
                    self.push(Breaking, path(name), message, owner);
                }
            }
        }
    }

    fn version(&mut self, path: &str, [old, new]: [&Option<String>; 2], owner: &Owner) {
        let (class, message) = match (old, new) {
            (old, new) if old == new => return,
            (None, Some(new)) => (Additive, format!("new: `{new}`")),
            (Some(old), None) => (Breaking, format!("gone, was `{old}`")),
            (Some(old), Some(new)) if is_higher(new, old) => {
                (Additive, format!("was `{old}`, is `{new}`"))
            }
            (Some(old), Some(new)) => (
                Breaking,
                format!("was `{old}`, is `{new}`, which is not higher"),
            ),
            (None, None) => return,
        };
        self.push(class, path.to_owned(), message, owner);
    }

    pub(super) fn routes(
        &mut self,
        section: &str,
        old: &Routes,
        new: &Routes,
        owner: &dyn Fn(&str, &RouteEntry) -> Owner,
    ) {
        let flat = |routes: &Routes| -> BTreeMap<String, (String, RouteEntry)> {
            let mut flat = BTreeMap::new();
            for (pattern, actions) in routes {
                for (action, route) in actions {
                    let name = format!("{pattern} to {action}");
                    flat.insert(name, (action.clone(), route.clone()));
                }
            }
            flat
        };
        let (old, new) = (flat(old), flat(new));
        let entries = Entries::of(&old, &new);
        let renamed = |gone: &(String, RouteEntry)| {
            let mut added = entries.added.iter().filter(|(_, route)| *route == gone);
            let (name, _) = added.next()?;
            added.next().is_none().then_some(*name)
        };
        for (name, route) in &entries.gone {
            let message = match renamed(route) {
                Some(new) => format!("gone; `{new}` is new"),
                None => "gone".to_owned(),
            };
            self.push(
                Breaking,
                format!("{section}{name}"),
                message,
                &owner(&route.0, &route.1),
            );
        }
        let names: Vec<_> = entries
            .gone
            .iter()
            .filter_map(|(_, route)| renamed(route))
            .collect();
        for (name, route) in &entries.added {
            if !names.contains(name) {
                self.push(
                    Additive,
                    format!("{section}{name}"),
                    "new",
                    &owner(&route.0, &route.1),
                );
            }
        }
        for (name, (action, old), (_, new)) in &entries.kept {
            let (path, owner) = (format!("{section}{name}"), owner(action, old));
            if old.priority != new.priority {
                let message = format!("its priority was {}, is {}", old.priority, new.priority);
                self.push(Breaking, path.clone(), message, &owner);
            }
            match (old.lenient, new.lenient) {
                (false, true) => self.push(Additive, path, "now lenient", &owner),
                (true, false) => self.push(Breaking, path, "no longer lenient", &owner),
                _ => {}
            }
        }
    }
}
