//! Checks which versions breaking changes require.

use super::file::{Contract, SkillEntry};
use skill_core::__private::{compatible, is_higher};
use skill_core::process;

/// The owner whose version must account for a change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owner {
    /// A part of the agent's interface. Either the agent's version counts, or the version of the skill with this name.
    Agent(Option<String>),
    /// A mountable skill, whose version is its own because it is also used without this agent.
    Mountable(String),
}

impl Owner {
    /// Returns the version that must be written to account for a breaking change, or `None` if the version already accounts for
    /// it.
    pub(super) fn version_needed(&self, old: &Contract, new: &Contract) -> Option<String> {
        let agents = [old, new].map(|contract| contract.agent.version.as_deref());
        let version = |skill: Option<&SkillEntry>| skill.and_then(|skill| skill.version.clone());
        let (subject, versions) = match self {
            // a removed skill has no version to write
            Self::Agent(Some(skill))
                if agents == [None, None] && new.skills.contains_key(skill) =>
            {
                let versions = [old, new].map(|contract| version(contract.skills.get(skill)));
                (format!("the skill `{skill}`"), versions)
            }
            Self::Mountable(skill) if new.mountable.contains_key(skill) => {
                let of = |contract: &Contract| {
                    version(contract.mountable.get(skill).map(|entry| &entry.skill))
                };
                (format!("the skill `{skill}`"), [of(old), of(new)])
            }
            Self::Agent(_) | Self::Mountable(_) => {
                let versions = agents.map(|version| version.map(str::to_owned));
                (format!("the agent `{}`", new.agent.name), versions)
            }
        };
        let [old, new] = versions;
        match (old, new) {
            (Some(old), Some(new)) if is_raised(&old, &new) => None,
            (Some(old), _) => Some(format!(
                "`version = \"{}\"` for {subject}, after `{old}`",
                next(&old)
            )),
            // before there is a first version, no version can be required
            (None, Some(_)) => None,
            (None, None) => Some(format!("a version for {subject}, which had none")),
        }
    }
}

/// Returns whether a version was raised as Cargo requires for a breaking change: in its first non-zero number. After a
/// pre-release, which promises nothing, any increase is enough.
fn is_raised(old: &str, new: &str) -> bool {
    is_higher(new, old) && (is_pre_release(old) || compatible(old) != compatible(new))
}

fn is_pre_release(version: &str) -> bool {
    without_build(version).contains('-')
}

fn without_build(version: &str) -> &str {
    version.split('+').next().unwrap_or_default()
}

/// Returns the lowest version after `version` for which `is_raised` returns `true`, so that it may contain breaking changes.
fn next(version: &str) -> String {
    let version = without_build(version);
    if let Some((numbers, pre_release)) = version.split_once('-') {
        return format!("{numbers}-{}", next_pre_release(pre_release));
    }
    let mut numbers = version
        .splitn(3, '.')
        .map(|number| number.parse().unwrap_or(0));
    let mut number = || numbers.next().unwrap_or(0_u64);
    match (number(), number(), number()) {
        (0, 0, patch) => format!("0.0.{}", patch.saturating_add(1)),
        (0, minor, _) => format!("0.{}.0", minor.saturating_add(1)),
        (major, _, _) => format!("{}.0.0", major.saturating_add(1)),
    }
}

/// Returns the next pre-release: `alpha.2` for `alpha.1`, and `alpha.1` for `alpha`.
fn next_pre_release(pre_release: &str) -> String {
    let (start, last) = match pre_release.rfind('.') {
        Some(dot) => pre_release.split_at(dot + 1),
        None => ("", pre_release),
    };
    match last.parse::<u64>() {
        Ok(number) => format!("{start}{}", number.saturating_add(1)),
        Err(_) => format!("{pre_release}.1"),
    }
}

/// Returns the beginning of a state path, which identifies its owner: the state key, or `mounted` and the mounted skill's key.
pub(super) fn state_section(path: &str) -> &str {
    let mut ends = path.match_indices(['.', '[']).map(|(end, _)| end);
    let first = ends.next().unwrap_or(path.len());
    let end = match &path[..first] {
        process::MOUNTED => ends.next().unwrap_or(path.len()),
        _ => first,
    };
    &path[..end]
}

/// Returns the owner of a part of the state, found by its keys.
pub(super) fn owner_of_state(path: &str, old: &Contract, new: &Contract) -> Owner {
    let mut keys = state_section(path).split('.');
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_version_may_break_what_worked() {
        let cases = [
            ("1.4.2", "2.0.0"),
            ("0.3.1", "0.4.0"),
            ("0.0.0", "0.0.1"),
            ("0.0.3", "0.0.4"),
            ("0.0.3+build.7", "0.0.4"),
            ("1.0.0-alpha.1", "1.0.0-alpha.2"),
            ("1.0.0-alpha", "1.0.0-alpha.1"),
            ("0.0.0-rc.9+x", "0.0.0-rc.10"),
        ];
        for (old, expected) in cases {
            assert_eq!(next(old), expected, "{old}");
            assert!(is_raised(old, expected), "{old}");
        }
    }

    #[test]
    fn only_versions_that_are_incompatible_or_follow_a_pre_release_are_raised() {
        let raised = [
            ("0.0.1", "0.0.2"),
            ("0.0.9", "0.1.0"),
            ("1.0.0-alpha.1", "1.0.0"),
            ("1.9.0", "2.0.0-alpha.1"),
        ];
        for (old, new) in raised {
            assert!(is_raised(old, new) && !is_raised(new, old), "{old} {new}");
        }
        for (old, new) in [
            ("0.1.0", "0.1.1"),
            ("1.0.0", "1.1.0"),
            ("0.0.1+a", "0.0.1+b"),
        ] {
            assert!(!is_raised(old, new), "{old} {new}");
        }
    }
}
