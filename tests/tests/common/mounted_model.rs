//! A model of `Mounted`: a plain list with the same rules, for the skills of `mounted_fixtures`.

use super::mounted_fixtures::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use skill_agent::prelude::*;

pub type AllSkills = (
    Auth,
    OldAuth,
    Search,
    Counter,
    OtherCounter,
    SameStateKey,
    SameActionName,
    Listener,
    Required,
    Requiring,
    CyclicRequired,
);

/// The facts of a skill type that the model needs.
#[derive(Debug)]
pub struct SkillModel {
    pub name: &'static str,
    pub key: &'static str,
    pub version: Option<&'static str>,
    pub requires: Option<&'static str>,
    pub actions: &'static [&'static str],
    pub fresh: fn() -> Value,
    pub mount: fn(&mut Mounted, &Value) -> Result<Vec<Directive>, MountError>,
    pub unmount: fn(&mut Mounted) -> Result<Vec<Directive>, MountError>,
    pub replace: fn(&mut Mounted, &Value) -> Result<Vec<Directive>, MountError>,
}

macro_rules! skill {
    ($type:ty, $name:literal, $key:literal, $version:expr, $requires:expr, $actions:expr, $fresh:tt) => {
        SkillModel {
            name: $name,
            key: $key,
            version: $version,
            requires: $requires,
            actions: &$actions,
            fresh: || json!($fresh),
            mount: |skills, options| skills.mount::<$type>(options),
            unmount: |skills| skills.unmount::<$type>(),
            replace: |skills, options| skills.replace::<$type>(options),
        }
    };
}

/// The skills in the order of `AllSkills`.
pub static SKILLS: [SkillModel; 11] = [
    skill!(Auth, "auth", "auth", Some("1.2.0"), None, ["log_in"], { "user": null }),
    skill!(OldAuth, "auth", "auth", Some("0.9.0"), None, [], {}),
    skill!(Search, "search", "search", None, Some("auth"), ["query"], { "queries": [] }),
    skill!(Counter, "counter", "counter", None, None, ["increment", "reset"], { "count": 0, "step": 1 }),
    skill!(OtherCounter, "counter", "counter", Some("2.0.0"), None, ["tally"], { "tally": 0 }),
    skill!(SameStateKey, "same_state_key", "counter", None, None, [], {
    }),
    skill!(
        SameActionName,
        "same_action_name",
        "same_action_name",
        None,
        None,
        ["increment"],
        {}
    ),
    skill!(Listener, "listener", "listener", None, None, [], { "heard": [] }),
    skill!(Required, "required", "required", None, None, [], {}),
    skill!(
        Requiring,
        "requiring",
        "requiring",
        None,
        Some("required"),
        [],
        {}
    ),
    skill!(
        CyclicRequired,
        "required",
        "required",
        None,
        Some("requiring"),
        [],
        {}
    ),
];

#[derive(Clone, Debug)]
pub enum Step {
    Mount(usize, Value),
    Unmount(usize),
    UnmountNamed(&'static str),
    Replace(usize, Value),
    Enable(&'static str),
    Disable(&'static str),
    Deliver(&'static str),
    DeliverTo(&'static str, &'static str),
    Increment,
    /// Several increments in one run; if the flag is set, a wrong instruction follows.
    Run(usize, bool),
    Restore,
}

pub fn step() -> impl Strategy<Value = Step> {
    let skill = 0..SKILLS.len();
    let name = (0..SKILLS.len()).prop_map(|skill| SKILLS[skill].name);
    let options = prop_oneof![
        4 => Just(json!({})),
        2 => (90i64..110).prop_map(|count| json!({ "count": count })),
        1 => (1i64..9).prop_map(|step| json!({ "step": step })),
        1 => Just(json!({ "surprise": 1 })),
        1 => Just(json!({ "count": "five" })),
    ];
    let signal = prop::sample::select(vec![
        "count.up",
        "count.fail",
        "count.on",
        "other",
        "ignored",
    ]);
    prop_oneof![
        6 => (skill.clone(), options.clone()).prop_map(|(skill, options)| Step::Mount(skill, options)),
        2 => skill.clone().prop_map(Step::Unmount),
        1 => name.clone().prop_map(Step::UnmountNamed),
        2 => (skill, options).prop_map(|(skill, options)| Step::Replace(skill, options)),
        1 => name.clone().prop_map(Step::Enable),
        1 => name.clone().prop_map(Step::Disable),
        3 => signal.clone().prop_map(Step::Deliver),
        1 => (name, signal).prop_map(|(name, signal)| Step::DeliverTo(name, signal)),
        2 => Just(Step::Increment),
        1 => (1usize..4, any::<bool>()).prop_map(|(times, wrong)| Step::Run(times, wrong)),
        1 => Just(Step::Restore),
    ]
}

/// The directives of a step as text: `+` and `-` for registrations, the type for signals.
pub type Events = Vec<String>;

/// The mounted skills in their order.
#[derive(Clone, Debug, Default)]
pub struct Model(pub Vec<MountedRow>);

#[derive(Clone, Debug)]
pub struct MountedRow {
    pub skill: usize,
    pub enabled: bool,
    pub state: Value,
    /// The state that its options lead to.
    fresh: Value,
}

impl MountedRow {
    pub fn skill(&self) -> &'static SkillModel {
        &SKILLS[self.skill]
    }

    pub fn events(&self, sign: char) -> Events {
        let name = self.skill().name;
        let actions = self.skill().actions.iter();
        actions
            .map(|action| format!("{sign}{name}.{action}"))
            .collect()
    }

    fn deregistrations(&self) -> Events {
        if self.enabled {
            self.events('-')
        } else {
            Events::new()
        }
    }
}

const FAILED: Option<Events> = None;

impl Model {
    pub fn at(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|row| row.skill().name == name)
    }

    fn fresh(skill: usize, options: &Value) -> Option<MountedRow> {
        let mut state = (SKILLS[skill].fresh)();
        for (key, value) in options.as_object()? {
            // only the counter has options, and they are numbers
            if SKILLS[skill].actions != ["increment", "reset"]
                || state.get(key).is_none()
                || !value.is_i64()
            {
                return None;
            }
            state[key] = value.clone();
        }
        let enabled = true;
        Some(MountedRow {
            skill,
            enabled,
            fresh: state.clone(),
            state,
        })
    }

    /// Whether the rows satisfy every rule.
    fn is_valid(&self) -> bool {
        let keys: Vec<_> = self.0.iter().map(|row| row.skill().key).collect();
        let actions: Vec<_> = self.0.iter().flat_map(|row| row.skill().actions).collect();
        let distinct = |list: &[&str]| (1..list.len()).all(|i| !list[..i].contains(&list[i]));
        let met = |row: &MountedRow| match row.skill().requires {
            None => true,
            Some("auth") => self
                .at("auth")
                .is_some_and(|at| self.0[at].skill().version == Some("1.2.0")),
            // no two require each other
            Some(name) => self
                .at(name)
                .is_some_and(|at| self.0[at].skill().requires != Some(row.skill().name)),
        };
        distinct(&keys)
            && distinct(&actions.into_iter().copied().collect::<Vec<_>>())
            && self.0.iter().all(met)
    }

    /// Applies a step and returns its events; `None` if it is refused, and then nothing has changed.
    pub fn apply(&mut self, step: &Step) -> Option<Events> {
        let mut next = self.clone();
        let events = next.attempt(step)?;
        *self = next;
        Some(events)
    }

    fn attempt(&mut self, step: &Step) -> Option<Events> {
        match step {
            Step::Mount(skill, options) => match self.at(SKILLS[*skill].name) {
                Some(at) if self.0[at].skill == *skill => {
                    // without options it stays as it is
                    let is_same = *options == json!({})
                        || Self::fresh(*skill, options)?.fresh == self.0[at].fresh;
                    is_same.then(Events::new)
                }
                Some(_) => FAILED,
                None => {
                    self.0.push(Self::fresh(*skill, options)?);
                    self.is_valid().then(|| self.0.last().unwrap().events('+'))
                }
            },
            Step::Unmount(skill) => match self.at(SKILLS[*skill].name) {
                Some(at) if self.0[at].skill != *skill => FAILED,
                _ => self.attempt(&Step::UnmountNamed(SKILLS[*skill].name)),
            },
            Step::UnmountNamed(name) => match self.at(name) {
                None => Some(Events::new()),
                Some(at) => {
                    let row = self.0.remove(at);
                    self.is_valid().then(|| row.deregistrations())
                }
            },
            Step::Replace(skill, options) => {
                let at = self.at(SKILLS[*skill].name)?;
                let old = std::mem::replace(&mut self.0[at], Self::fresh(*skill, options)?);
                self.is_valid()
                    .then(|| [old.deregistrations(), self.0[at].events('+')].concat())
            }
            Step::Enable(name) => {
                let row = self.at(name).map(|at| &mut self.0[at])?;
                let was = std::mem::replace(&mut row.enabled, true);
                Some(if was { Events::new() } else { row.events('+') })
            }
            Step::Disable(name) => {
                let row = self.at(name).map(|at| &mut self.0[at])?;
                let deregistrations = row.deregistrations();
                row.enabled = false;
                Some(deregistrations)
            }
            Step::Deliver(ty) => self.deliver(ty),
            Step::DeliverTo(name, ty) => {
                let at = self.at(name)?;
                if self.0[at].enabled {
                    self.0[at].handle(ty)
                } else {
                    FAILED
                }
            }
            Step::Increment => self.increment(),
            Step::Run(times, wrong) => {
                let events: Option<Vec<Events>> = (0..*times).map(|_| self.increment()).collect();
                events.filter(|_| !wrong).map(|events| events.concat())
            }
            Step::Restore => {
                // options and the disabled flag are not part of the state
                for row in &mut self.0 {
                    row.enabled = true;
                    row.fresh = (row.skill().fresh)();
                }
                Some(Events::new())
            }
        }
    }

    fn deliver(&mut self, ty: &str) -> Option<Events> {
        for row in self.0.iter_mut().filter(|row| row.enabled) {
            if row.skill().actions == ["increment", "reset"] && !ty.starts_with("count.") {
                continue;
            }
            let events = row.handle(ty)?;
            if !events.is_empty() {
                return Some(events);
            }
        }
        Some(Events::new())
    }

    fn increment(&mut self) -> Option<Events> {
        let has = |row: &&mut MountedRow| row.enabled && row.skill().actions.contains(&"increment");
        let row = self.0.iter_mut().find(has)?;
        if row.skill().name == "same_action_name" {
            return Some(Events::new());
        }
        let count = row.state["count"].as_i64()? + row.state["step"].as_i64()?;
        row.state["count"] = json!(count);
        (count <= 100).then(|| vec!["counter.changed".to_owned()])
    }
}

impl MountedRow {
    fn handle(&mut self, ty: &str) -> Option<Events> {
        match (self.skill().name, self.skill().actions.len(), ty) {
            ("counter", 2, "count.up") => {
                let count = self.state["count"].as_i64()? + self.state["step"].as_i64()?;
                self.state["count"] = json!(count);
                Some(vec!["counter.changed".to_owned()])
            }
            ("counter", 2, "count.fail") => FAILED,
            ("listener", _, ty) if ty != "ignored" => {
                self.state["heard"].as_array_mut()?.push(json!(ty));
                Some(vec!["heard".to_owned()])
            }
            _ => Some(Events::new()),
        }
    }
}
