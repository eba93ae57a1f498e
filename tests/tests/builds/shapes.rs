//! A listed or mounted skill whose state has another shape in the next build: it is taken, converted, or refused with a way out that
//! works.

use super::{chain, kill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::HookError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::Recovery;
use skill_agent::store::Memory;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::pin::Pin;

/// A position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Point {
    x: i32,
    y: i32,
}

/// A position in space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Point3 {
    x: i32,
    y: i32,
    z: i32,
}

/// A mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Mode {
    #[default]
    Off,
    On(u8),
}

/// A mode with another variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Mode3 {
    #[default]
    Off,
    On(u8),
    Auto {
        level: u8,
    },
}

/// Declares builds per shape, one that lists the skill and one that mounts it: its version, its hooks, its fields, and the values that
/// it stores.
macro_rules! shapes {
    ($($module:ident $version:literal $($hooks:ident)? { $($fields:tt)* } = { $($values:tt)* })*) => {
        $(mod $module {
            use super::*;

            /// Counts.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "counter", version = $version, actions(Fill) $(, $hooks)?)]
            pub struct Counter {
                $($fields)*
            }

            /// Store values.
            #[action]
            pub fn fill(counter: &mut Counter) {
                *counter = Counter { $($values)* };
            }

            agent! {
                /// Counts.
                pub struct Desk {
                    name: "desk",
                    skills: [Counter],
                }
            }

            agent! {
                /// Mounts the counter.
                pub struct Bench {
                    name: "bench",
                    mounted: [Counter],
                }
            }
        })*

        fn listed() -> Shapes {
            let builds = vec![$(Build {
                name: stringify!($module),
                start: |store, forget, fills| {
                    start::<$module::Desk>(store, forget, fills, |agent| {
                        serde_json::to_value(&agent.state().counter).unwrap()
                    })
                },
            }),*];
            Shapes { key: "counter", builds }
        }

        fn mounted() -> Shapes {
            let builds = vec![$(Build {
                name: stringify!($module),
                start: |store, forget, fills| {
                    start::<$module::Bench>(store, forget, fills, |agent| {
                        serde_json::to_value(agent.mounted()).unwrap()["counter"].take()
                    })
                },
            }),*];
            Shapes { key: "skills.counter", builds }
        }
    };
}

shapes! {
    first "1.0.0" { pub count: u32, pub name: String, pub tags: Vec<String>, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()] }
    added "1.1.0" { pub count: u32, pub name: String, pub tags: Vec<String>, pub is_open: bool, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()], is_open: true }
    removed "1.0.1" { pub count: u32, pub name: String, }
        = { count: 7, name: "ink".into() }
    renamed "1.0.0" { pub count: u32, pub title: String, pub tags: Vec<String>, }
        = { count: 7, title: "ink".into(), tags: Vec::new() }
    floating "1.0.0" { pub count: f64, pub name: String, pub tags: Vec<String>, }
        = { count: 7.5, name: "ink".into(), tags: Vec::new() }
    unbounded "1.0.0" { pub count: f64, pub name: String, pub tags: Vec<String>, }
        = { count: f64::INFINITY, name: "ink".into(), tags: Vec::new() }
    worded "1.0.0" { pub count: String, pub name: String, pub tags: Vec<String>, }
        = { count: "seven".into(), name: "ink".into(), tags: Vec::new() }
    reordered "1.0.0" { pub tags: Vec<String>, pub name: String, pub count: u32, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()] }
    bounded "1.0.0" { #[schemars(range(max = 10))] pub count: u32, pub name: String, pub tags: Vec<String>, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()] }
    narrow "1.0.0" { pub count: u8, pub name: String, pub tags: Vec<String>, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()] }
    optional "1.0.0" { pub count: Option<u32>, pub name: Option<String>, pub tags: Vec<String>, }
        = { count: None, name: Some("ink".into()), tags: Vec::new() }
    mapped "1.0.0" { pub count: u32, pub name: String, pub tags: BTreeMap<String, u32>, }
        = { count: 7, name: "ink".into(), tags: BTreeMap::from([("a".into(), 1)]) }
    numbered "1.0.0" { pub count: u32, pub name: String, pub tags: HashMap<u32, u32>, }
        = { count: 7, name: "ink".into(), tags: HashMap::from([(1, 1), (2, 2)]) }
    set "1.0.0" { pub count: u32, pub name: String, pub tags: BTreeSet<String>, }
        = { count: 7, name: "ink".into(), tags: BTreeSet::from(["b".into(), "a".into()]) }
    placed "1.0.0" { pub count: u32, pub at: Point, pub mode: Mode, }
        = { count: 7, at: Point { x: 1, y: 2 }, mode: Mode::On(3) }
    raised "1.0.0" { pub count: u32, pub at: Point3, pub mode: Mode3, }
        = { count: 7, at: Point3 { x: 1, y: 2, z: 3 }, mode: Mode3::Auto { level: 1 } }
    hooked "1.2.0" hooks { pub count: u32, pub name: String, pub tags: Vec<String>, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()] }
    refusing "1.3.0" hooks { pub count: u32, pub name: String, pub tags: Vec<String>, pub is_open: bool, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()], is_open: true }
    major "2.0.0" { pub count: u32, pub name: String, pub tags: Vec<String>, pub is_open: bool, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()], is_open: true }
    restoring "2.0.0" hooks { pub count: u32, pub name: String, pub tags: Vec<String>, pub is_open: bool, }
        = { count: 7, name: "ink".into(), tags: vec!["b".into(), "a".into()], is_open: true }
    converted "2.0.0" hooks { pub number: u64, pub from: String, }
        = { number: 7, from: String::new() }
}

impl Hooks for hooked::Counter {}

impl Hooks for refusing::Counter {
    fn restore(_: &str, _: Value) -> Result<Self, HookError> {
        Err(HookError::new("this is no counter"))
    }
}

impl Hooks for restoring::Counter {
    fn restore(version: &str, state: Value) -> Result<Self, HookError> {
        let mut counter: Self = serde_json::from_value(state)?;
        counter.name = format!("restored from {version}");
        Ok(counter)
    }
}

impl Hooks for converted::Counter {
    fn restore(version: &str, state: Value) -> Result<Self, HookError> {
        let count = &state["count"];
        let number = count.as_u64().or(count.as_f64().map(|count| count as u64));
        let number = number.ok_or_else(|| HookError::new("there is no count"))?;
        let from = version.to_owned();
        Ok(Self { number, from })
    }
}

/// The recovery of a start, and the state of the skill.
type Started = Pin<Box<dyn Future<Output = Result<(Recovery, Value), String>>>>;

/// The builds that list the skill, or those that mount it.
struct Shapes {
    /// The key of its state.
    key: &'static str,
    builds: Vec<Build>,
}

impl Shapes {
    fn start_of(&self, name: &str) -> Start {
        let mut builds = self.builds.iter();
        builds.find(|build| build.name == name).unwrap().start
    }
}

type Start = fn(Memory, forget: Vec<String>, fills: bool) -> Started;

/// A build.
struct Build {
    name: &'static str,
    /// Starts it on a store, and stores its values if asked to.
    start: Start,
}

/// Starts a build.
fn start<G>(store: Memory, forget: Vec<String>, fills: bool, state: fn(&G) -> Value) -> Started
where
    G: Agent + AgentRunsWith<()>,
{
    Box::pin(async move {
        let builder = AgentServer::builder(G::with_id("desk-1")).store(store);
        let keys = forget.into_iter();
        let builder = keys.fold(builder, |builder, key| builder.forget(key));
        let server = builder.start().await.map_err(|error| chain(&error))?;
        if fills {
            let lists_the_skill = !G::tools().is_empty();
            if !lists_the_skill {
                server.mount("counter", json!({})).await.unwrap();
            }
            server.call_json("fill", "{}").await.unwrap();
        }
        let state = state(&server.agent().await.unwrap());
        let recovery = server.recovery().clone();
        kill(server).await;
        Ok((recovery, state))
    })
}

/// The argument of `forget` that a message names.
fn way_out(message: &str) -> Option<String> {
    let (_, rest) = message.split_once(".forget(\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

/// Whether everything that was stored is in the state that was read. Infinity is `null` here.
fn has_all(stored: &Value, read: &Value) -> bool {
    match (stored, read) {
        (Value::Object(stored), Value::Object(read)) => stored.iter().all(|(key, value)| {
            let found = read.get(key);
            value.is_null() || found.is_some_and(|found| has_all(value, found))
        }),
        (Value::Array(stored), Value::Array(read)) => {
            stored.len() == read.len() && stored.iter().all(|item| read.contains(item))
        }
        (Value::Number(stored), Value::Number(read)) => stored.as_f64() == read.as_f64(),
        (stored, read) => stored == read,
    }
}

async fn check_every_pair(shapes: &Shapes) {
    let (mut taken, mut converted, mut refused, mut forgotten) = (0, 0, 0, 0);
    for old in &shapes.builds {
        for new in shapes.builds.iter().filter(|new| new.name != old.name) {
            let case = format!("{} -> {}", old.name, new.name);
            let memory = Memory::default();
            let (_, stored) = (old.start)(memory.clone(), Vec::new(), true).await.unwrap();
            let mut forget = Vec::new();
            let (recovery, state) = loop {
                let message = match (new.start)(memory.clone(), forget.clone(), false).await {
                    Ok(started) => break started,
                    Err(message) => message,
                };
                let key = way_out(&message).unwrap_or_else(|| panic!("{case}: {message}"));
                assert!(message.contains("`Hooks::restore`"), "{case}: {message}");
                assert!(!forget.contains(&key), "{case}: {message}");
                // A refused start changes nothing.
                let (_, unchanged) = (old.start)(memory.clone(), Vec::new(), false)
                    .await
                    .unwrap();
                assert_eq!(unchanged, stored, "{case}");
                forget.push(key);
            };
            assert_eq!(recovery.forgotten.last(), forget.last(), "{case}");
            match (&*recovery.migrated, &*recovery.other_schema) {
                _ if forget.iter().any(|key| key == shapes.key) => forgotten += 1,
                ([skill], []) => {
                    assert_eq!(skill, "counter", "{case}");
                    converted += 1;
                }
                (_, []) | ([], [_]) if forget.is_empty() => {
                    assert!(has_all(&stored, &state), "{case}: {stored} became {state}");
                    taken += 1;
                }
                _ => {
                    let is_field = |key: &String| {
                        let rest = key.strip_prefix(shapes.key);
                        rest.is_some_and(|rest| rest.starts_with('.'))
                    };
                    assert!(forget.iter().all(is_field), "{case}");
                    refused += 1;
                }
            }
            // The next start of the same build finds the same, and forgets nothing more.
            let (again, same) = (new.start)(memory, Vec::new(), false).await.unwrap();
            assert_eq!(same, state, "{case}");
            assert_eq!(
                (again.migrated, again.other_schema),
                (vec![], vec![]),
                "{case}"
            );
        }
    }
    println!(
        "{taken} taken, {converted} converted, {refused} without a field, {forgotten} forgotten"
    );
    assert!(taken > 0 && converted > 0 && refused > 0 && forgotten > 0);
    assert!(taken + converted + refused + forgotten >= 300);
}

#[timed_test::test]
async fn every_shape_is_taken_or_refused_with_a_way_out_that_works() {
    check_every_pair(&listed()).await;
}

#[timed_test::test]
async fn every_shape_of_a_mounted_skill_is_taken_or_refused_with_a_way_out_that_works() {
    check_every_pair(&mounted()).await;
}

async fn check_new_field(shapes: &Shapes) {
    let (first, added) = (shapes.start_of("first"), shapes.start_of("added"));
    let key = shapes.key;
    let memory = Memory::default();
    let (_, stored) = first(memory.clone(), Vec::new(), true).await.unwrap();
    let (recovery, taken) = added(memory.clone(), Vec::new(), false).await.unwrap();
    assert_eq!(recovery.other_schema, ["counter"]);
    assert!(has_all(&stored, &taken));
    let message = first(memory.clone(), Vec::new(), false).await.unwrap_err();
    assert_eq!(
        message,
        format!(
            "the stored state of `desk-1` cannot be restored: the state of `counter` was stored by version 1.1.0 and does not fit version \
             1.0.0: `is_open` is stored and not read; drop it with `AgentServer::builder(...).forget(\"{key}.is_open\")`, or implement \
             `Hooks::restore`"
        )
    );
    let forget = vec![format!("{key}.is_open")];
    let (recovery, back) = first(memory.clone(), forget.clone(), false).await.unwrap();
    assert_eq!(back, stored);
    assert_eq!(recovery.forgotten, forget);
    let (_, again) = added(memory, Vec::new(), false).await.unwrap();
    assert_eq!(again, taken, "the forgotten field is its default");
}

#[timed_test::test]
async fn a_new_field_comes_and_goes_without_a_loss() {
    check_new_field(&listed()).await;
}

#[timed_test::test]
async fn a_new_field_of_a_mounted_skill_comes_and_goes_without_a_loss() {
    check_new_field(&mounted()).await;
}

#[timed_test::test]
async fn a_state_that_fits_is_restored_only_for_an_incompatible_version_with_the_hook() {
    for shapes in [listed(), mounted()] {
        for (name, is_restored) in [("refusing", false), ("major", false), ("restoring", true)] {
            let memory = Memory::default();
            let first = shapes.start_of("first");
            first(memory.clone(), Vec::new(), true).await.unwrap();
            let new = shapes.start_of(name);
            let (recovery, state) = new(memory, Vec::new(), false).await.unwrap();
            let counter = ["counter".to_owned()];
            let (taken, restored) = if is_restored {
                (&[][..], &counter[..])
            } else {
                (&counter[..], &[][..])
            };
            assert_eq!(recovery.other_schema, taken, "{} of {name}", shapes.key);
            assert_eq!(recovery.migrated, restored, "{} of {name}", shapes.key);
            let text = if is_restored {
                "restored from 1.0.0"
            } else {
                "ink"
            };
            assert_eq!(state["name"], text, "{} of {name}", shapes.key);
        }
    }
}

#[timed_test::test]
async fn a_field_of_a_mounted_skill_is_forgotten_under_its_present_schema() {
    let first = mounted().start_of("first");
    let memory = Memory::default();
    first(memory.clone(), Vec::new(), true).await.unwrap();
    let forget = vec!["skills.counter.tags".to_owned()];
    let (recovery, state) = first(memory.clone(), forget.clone(), false).await.unwrap();
    assert_eq!(recovery.forgotten, forget);
    assert_eq!(state, json!({ "count": 7, "name": "ink", "tags": [] }));
    let (recovery, same) = first(memory, Vec::new(), false).await.unwrap();
    assert_eq!((recovery.forgotten, same), (Vec::new(), state));
}
