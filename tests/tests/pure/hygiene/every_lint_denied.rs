// Generated code causes no warnings.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    dead_code,
    missing_docs,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    keyword_idents,
    let_underscore_drop,
    meta_variable_misuse,
    missing_debug_implementations,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
//! A program with all lints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = Limit, actions(Increment, Look), signals("counter.**"))]
struct Counter {
    /// The maximum count.
    #[skill(from_config)]
    most: u32,
    /// The count.
    #[skill(default)]
    count: u32,
    /// Not for everyone.
    #[skill(from_config, secret)]
    code: u32,
}

/// The greatest maximum.
const MOST: u32 = 9;

/// The limit.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Limit {
    /// The maximum count.
    #[schemars(range(min = 1, max = MOST))]
    most: u32,
    /// Not for everyone.
    #[skill(secret)]
    code: u32,
}

/// Add to the counter.
#[action(derive(Clone, Debug), on("counter.more", priority = 3))]
fn increment(
    counter: &mut Counter,
    cx: &mut Context<Counter>,
    #[arg(range(1..=3), example = 2)] by: u32,
    #[arg(default, length(..=9), pattern("^[a-z]*$"))] note: String,
) -> Result<u32, String> {
    counter.count += by;
    cx.emit(Signal::new("counter.more", note.into()));
    if counter.count > counter.most {
        Err("too many".to_owned())
    } else {
        Ok(counter.count)
    }
}

/// Return the count.
#[action(derive(Debug))]
fn look(counter: &Counter, #[serde(alias = "d")] deep: bool) -> Option<u32> {
    deep.then_some(counter.count)
}

agent! {
    /// Clerk.
    #[derive(Debug)]
    struct Clerk {
        name: "clerk",
        state: {
            /// Whether it is open.
            open: bool = true,
        },
        skills: [Counter { most: 3 }, Counter as other],
    }
}

pub(crate) fn main() {
    let mut clerk = Clerk::new();
    assert_eq!(
        clerk
            .call_json("increment", r#"{"by":2}"#)
            .map(|done| done.output)
            .ok()
            .as_deref(),
        Some("2")
    );
    assert!(clerk.other().cmd(Look { deep: true }).is_ok());
    assert!(clerk.state().open);
}
