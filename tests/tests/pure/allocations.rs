//! Matching a signal allocates only the list of matches, and a typed command only its queued directives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::core::{Pattern, Route, Router, Signal, Stamp, process};
use skill_agent::prelude::{Agent, Context, Skill, action, agent};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::SystemTime;

/// The system allocator, with a count of allocations for each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded to the system allocator unchanged. Counting does not allocate: the counter is
// const-initialized and has no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller upholds the same contract
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the same contract
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller upholds the same contract
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = COUNT.get();
    let value = run();
    (value, COUNT.get() - before)
}

#[test]
fn the_allocator_counts_allocations() {
    assert_eq!(allocations(|| vec![1, 2]).1, 1);
}

#[test]
fn a_pattern_matches_without_allocating() {
    let pattern = Pattern::parse("a.**.b.**.*.c").unwrap();
    let (matched, count) = allocations(|| pattern.matches("a.b.x.b.b.y.c.c"));
    assert!(matched);
    assert_eq!((count, allocations(|| pattern.matches("a.b")).1), (0, 0));
}

#[test]
fn a_router_fills_a_given_list_without_allocating() {
    let mut router = Router::new();
    let segments = ["a", "b", "*", "**"];
    for i in 0..256usize {
        let pattern: Vec<_> = (0..4).map(|k| segments[(i >> (2 * k)) & 3]).collect();
        if let Ok(route) = Route::parse(&pattern.join("."), 0) {
            router.insert(route.clone(), i);
            router.insert_when(route, i, |signal| signal.data().is_null());
        }
    }
    let mut found = Vec::with_capacity(router.len());
    for ty in ["a.b.a.b", "b.b.b.b.b.b.b.b", "a.b", "x.b"] {
        let signal = Signal::new(ty, Value::Null);
        let ((), count) = allocations(|| router.matches_into(&signal, &mut found));
        assert!(!found.is_empty(), "{ty}");
        assert_eq!(count, 0, "{ty}");
    }
    // longer than the trie's limit
    let signal = Signal::new("a.b.".repeat(100) + "a", Value::Null);
    let ((), count) = allocations(|| router.matches_into(&signal, &mut found));
    assert!(!found.is_empty());
    assert_eq!(count, 0);
}

/// Counts.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Add, Shift))]
pub struct Counter {
    count: i64,
}

/// Add to the counter.
#[action]
pub fn add(counter: &mut Counter, by: i64) -> i64 {
    counter.count += by;
    counter.count
}

/// Add to the counter; fails below zero. Reads the context.
#[action]
pub fn shift(counter: &mut Counter, cx: &mut Context<Counter>, by: i64) -> Result<i64, String> {
    counter.count += by + cx.signal().map_or(0, |_| 1);
    match counter.count {
        0.. => Ok(counter.count),
        below => Err(below.to_string()),
    }
}

agent! {
    struct CounterAgent { name: "counter_agent", skills: [Counter] }
}

#[test]
fn a_typed_command_that_queues_nothing_does_not_allocate() {
    let (mut agent, stamp) = (CounterAgent::new(), Stamp::new(SystemTime::UNIX_EPOCH, "1"));
    let (done, count) = allocations(|| agent.cmd(Add { by: 1 }).unwrap().output);
    assert_eq!((done, count), (1, 0));
    let (done, count) = allocations(|| agent.cmd(Shift { by: 1 }).unwrap().output);
    assert_eq!((done, count), (2, 0));
    // an action without a context cannot read the stamp
    let (done, count) = allocations(|| agent.cmd_stamped(&stamp, Add { by: 1 }).unwrap().output);
    assert_eq!((done, count), (3, 0));
}

#[test]
fn keeping_the_previous_state_makes_two_allocations() {
    let mut agent = CounterAgent::new();
    let perform = |agent: &mut CounterAgent, keep| {
        let performed = process::perform::<CounterAgent, Add, 0>(agent, Add { by: 1 }, None, keep);
        drop(performed);
    };
    let ((), without) = allocations(|| perform(&mut agent, false));
    let ((), with) = allocations(|| perform(&mut agent, true));
    // the list and the boxed state in it
    assert_eq!((without, with), (0, 2));
}
