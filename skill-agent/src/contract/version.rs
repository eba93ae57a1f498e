//! Which version has to rise for a breaking change.

use super::file::{Contract, SkillEntry};
use skill_core::__private::{compatible, is_higher};
use skill_core::process;

/// The version that accounts for a change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owner {
    /// A part of the agent's surface: the version of the agent, or without one that of the skill with this name.
    Agent(Option<String>),
    /// A skill that may be mounted, and is used without this agent as well: its own version.
    Mountable(String),
}

impl Owner {
    /// The version that has to be written before a breaking change is in order; `None` if it is.
    pub(super) fn version_needed(&self, old: &Contract, new: &Contract) -> Option<String> {
        let agents = [old, new].map(|contract| contract.agent.version.as_deref());
        let version = |skill: Option<&SkillEntry>| skill.and_then(|skill| skill.version.clone());
        let (subject, versions) = match self {
            Self::Agent(Some(skill)) if agents == [None, None] => {
                let versions = [old, new].map(|contract| version(contract.skills.get(skill)));
                (format!("the skill `{skill}`"), versions)
            }
            Self::Agent(_) => {
                let versions = agents.map(|version| version.map(str::to_owned));
                (format!("the agent `{}`", new.agent.name), versions)
            }
            Self::Mountable(skill) => {
                let of = |contract: &Contract| {
                    version(contract.mountable.get(skill).map(|entry| &entry.skill))
                };
                (format!("the skill `{skill}`"), [of(old), of(new)])
            }
        };
        let [old, new] = versions;
        match (old, new) {
            (Some(old), Some(new)) if is_raised(&old, &new) => None,
            (Some(old), _) => Some(format!(
                "`version = \"{}\"` for {subject}, after `{old}`",
                next(&old)
            )),
            (None, _) => Some(format!("a version for {subject}, which had none")),
        }
    }
}

/// Whether a version rose as semantic versioning asks of a breaking change.
fn is_raised(old: &str, new: &str) -> bool {
    is_higher(new, old) && compatible(old) != compatible(new)
}

/// The first version after another one that may break what worked.
fn next(version: &str) -> String {
    let numbers: Vec<u64> = version
        .splitn(3, '.')
        .filter_map(|number| number.parse().ok())
        .collect();
    match numbers[..] {
        [0, minor, ..] => format!("0.{}.0", minor.saturating_add(1)),
        [major, ..] => format!("{}.0.0", major.saturating_add(1)),
        [] => "0.1.0".to_owned(),
    }
}

/// The owner of a part of the state, by the keys that lead to it.
pub(super) fn owner_of_state(path: &str, old: &Contract, new: &Contract) -> Owner {
    let mut keys = path.split(['.', '[']);
    let key = keys.next().unwrap_or_default();
    if key == process::MOUNTED
        && let Some(mounted) = keys.next()
    {
        let entries = [old, new]
            .into_iter()
            .flat_map(|contract| &contract.mountable);
        let mut found = entries.filter(|(_, entry)| entry.skill.state_key == mounted);
        if let Some((name, _)) = found.next() {
            return Owner::Mountable(name.clone());
        }
    }
    let skills = [old, new].into_iter().flat_map(|contract| &contract.skills);
    let mut found = skills.filter(|(_, skill)| skill.state_key == key);
    Owner::Agent(found.next().map(|(name, _)| name.clone()))
}
