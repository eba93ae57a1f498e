//! A plain list that knows the rules of `Mounted`, for the skills of `shelf`.

use super::shelf::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use skill_agent::prelude::*;

pub type All = (
    Auth,
    OldAuth,
    Search,
    Counter,
    OtherCounter,
    KeyThief,
    ActionThief,
    Listener,
    Moon,
    Tide,
    TidalMoon,
);

/// What the model knows of a skill.
#[derive(Debug)]
pub struct Kind {
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

macro_rules! kind {
    ($type:ty, $name:literal, $key:literal, $version:expr, $requires:expr, $actions:expr, $fresh:tt) => {
        Kind {
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

/// In the order of `All`.
pub static KINDS: [Kind; 11] = [
    kind!(Auth, "auth", "auth", Some("1.2.0"), None, ["log_in"], { "user": null }),
    kind!(OldAuth, "auth", "auth", Some("0.9.0"), None, [], {}),
    kind!(Search, "search", "search", None, Some("auth"), ["query"], { "queries": [] }),
    kind!(Counter, "counter", "counter", None, None, ["increment", "reset"], { "count": 0, "step": 1 }),
    kind!(OtherCounter, "counter", "counter", Some("2.0.0"), None, ["tally"], { "tally": 0 }),
    kind!(KeyThief, "key_thief", "counter", None, None, [], {}),
    kind!(
        ActionThief,
        "action_thief",
        "action_thief",
        None,
        None,
        ["increment"],
        {}
    ),
    kind!(Listener, "listener", "listener", None, None, [], { "heard": [] }),
    kind!(Moon, "moon", "moon", None, None, [], {}),
    kind!(Tide, "tide", "tide", None, Some("moon"), [], {}),
    kind!(TidalMoon, "moon", "moon", None, Some("tide"), [], {}),
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
    /// Several in one run, after which a wrong one may follow.
    Run(usize, bool),
    Restore,
}

pub fn step() -> impl Strategy<Value = Step> {
    let kind = 0..KINDS.len();
    let name = (0..KINDS.len()).prop_map(|kind| KINDS[kind].name);
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
        6 => (kind.clone(), options.clone()).prop_map(|(kind, options)| Step::Mount(kind, options)),
        2 => kind.clone().prop_map(Step::Unmount),
        1 => name.clone().prop_map(Step::UnmountNamed),
        2 => (kind, options).prop_map(|(kind, options)| Step::Replace(kind, options)),
        1 => name.clone().prop_map(Step::Enable),
        1 => name.clone().prop_map(Step::Disable),
        3 => signal.clone().prop_map(Step::Deliver),
        1 => (name, signal).prop_map(|(name, signal)| Step::DeliverTo(name, signal)),
        2 => Just(Step::Increment),
        1 => (1usize..4, any::<bool>()).prop_map(|(times, wrong)| Step::Run(times, wrong)),
        1 => Just(Step::Restore),
    ]
}

/// What the directives of a step amount to: `+` and `-` for registrations, the types of signals.
pub type Said = Vec<String>;

/// The plain list.
#[derive(Clone, Debug, Default)]
pub struct Model(pub Vec<Row>);

#[derive(Clone, Debug)]
pub struct Row {
    pub kind: usize,
    pub enabled: bool,
    pub state: Value,
}

impl Row {
    pub fn kind(&self) -> &'static Kind {
        &KINDS[self.kind]
    }

    pub fn said(&self, sign: char) -> Said {
        let name = self.kind().name;
        let actions = self.kind().actions.iter();
        actions.map(|it| format!("{sign}{name}.{it}")).collect()
    }

    fn gone(&self) -> Said {
        match self.enabled {
            true => self.said('-'),
            false => Said::new(),
        }
    }
}

const FAILED: Option<Said> = None;

impl Model {
    pub fn at(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|row| row.kind().name == name)
    }

    fn fresh(kind: usize, options: &Value) -> Option<Row> {
        let mut state = (KINDS[kind].fresh)();
        for (key, value) in options.as_object()? {
            // only the counter has options, and they are numbers
            if KINDS[kind].actions != ["increment", "reset"]
                || state.get(key).is_none()
                || !value.is_i64()
            {
                return None;
            }
            state[key] = value.clone();
        }
        let enabled = true;
        Some(Row {
            kind,
            enabled,
            state,
        })
    }

    /// Whether every rule holds among the rows.
    fn holds(&self) -> bool {
        let keys: Vec<_> = self.0.iter().map(|row| row.kind().key).collect();
        let actions: Vec<_> = self.0.iter().flat_map(|row| row.kind().actions).collect();
        let distinct = |list: &[&str]| (1..list.len()).all(|i| !list[..i].contains(&list[i]));
        let met = |row: &Row| match row.kind().requires {
            None => true,
            Some("auth") => self
                .at("auth")
                .is_some_and(|at| self.0[at].kind().version == Some("1.2.0")),
            // no two require each other
            Some(name) => self
                .at(name)
                .is_some_and(|at| self.0[at].kind().requires != Some(row.kind().name)),
        };
        distinct(&keys)
            && distinct(&actions.into_iter().copied().collect::<Vec<_>>())
            && self.0.iter().all(met)
    }

    /// Does it, and gives what is said; `None` when it is refused, and then nothing has changed.
    pub fn take(&mut self, step: &Step) -> Option<Said> {
        let mut next = self.clone();
        let said = next.attempt(step)?;
        *self = next;
        Some(said)
    }

    fn attempt(&mut self, step: &Step) -> Option<Said> {
        match step {
            Step::Mount(kind, options) => match self.at(KINDS[*kind].name) {
                Some(at) if self.0[at].kind == *kind => Some(Said::new()),
                Some(_) => FAILED,
                None => {
                    self.0.push(Self::fresh(*kind, options)?);
                    self.holds().then(|| self.0.last().unwrap().said('+'))
                }
            },
            Step::Unmount(kind) => match self.at(KINDS[*kind].name) {
                Some(at) if self.0[at].kind != *kind => FAILED,
                _ => self.attempt(&Step::UnmountNamed(KINDS[*kind].name)),
            },
            Step::UnmountNamed(name) => match self.at(name) {
                None => Some(Said::new()),
                Some(at) => {
                    let row = self.0.remove(at);
                    self.holds().then(|| row.gone())
                }
            },
            Step::Replace(kind, options) => {
                let at = self.at(KINDS[*kind].name)?;
                let old = std::mem::replace(&mut self.0[at], Self::fresh(*kind, options)?);
                self.holds()
                    .then(|| [old.gone(), self.0[at].said('+')].concat())
            }
            Step::Enable(name) => {
                let row = self.at(name).map(|at| &mut self.0[at])?;
                let was = std::mem::replace(&mut row.enabled, true);
                Some(if was { Said::new() } else { row.said('+') })
            }
            Step::Disable(name) => {
                let row = self.at(name).map(|at| &mut self.0[at])?;
                let gone = row.gone();
                row.enabled = false;
                Some(gone)
            }
            Step::Deliver(ty) => self.deliver(ty, |_| true),
            Step::DeliverTo(name, ty) => {
                let at = self.at(name)?;
                match self.0[at].enabled {
                    true => self.0[at].handle(ty),
                    false => FAILED,
                }
            }
            Step::Increment => self.increment(),
            Step::Run(times, wrong) => {
                let said: Option<Vec<Said>> = (0..*times).map(|_| self.increment()).collect();
                said.filter(|_| !wrong).map(|said| said.concat())
            }
            Step::Restore => {
                // options and who is disabled are no part of the state
                self.0.iter_mut().for_each(|row| row.enabled = true);
                Some(Said::new())
            }
        }
    }

    fn deliver(&mut self, ty: &str, asked: impl Fn(&Row) -> bool) -> Option<Said> {
        for row in self.0.iter_mut().filter(|row| row.enabled && asked(row)) {
            if row.kind().actions == ["increment", "reset"] && !ty.starts_with("count.") {
                continue;
            }
            let said = row.handle(ty)?;
            if !said.is_empty() {
                return Some(said);
            }
        }
        Some(Said::new())
    }

    fn increment(&mut self) -> Option<Said> {
        let has = |row: &&mut Row| row.enabled && row.kind().actions.contains(&"increment");
        let row = self.0.iter_mut().find(has)?;
        if row.kind().name == "action_thief" {
            return Some(Said::new());
        }
        let count = row.state["count"].as_i64()? + row.state["step"].as_i64()?;
        row.state["count"] = json!(count);
        (count <= 100).then(|| vec!["counter.changed".to_owned()])
    }
}

impl Row {
    fn handle(&mut self, ty: &str) -> Option<Said> {
        match (self.kind().name, self.kind().actions.len(), ty) {
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
            _ => Some(Said::new()),
        }
    }
}
