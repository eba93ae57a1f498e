//! A new build, or the next start, on the store of an earlier one.

#[path = "../common/errors.rs"]
mod errors;

#[path = "../common/recorded_traces.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod recorded_traces;

#[path = "../common/restarts.rs"]
mod restarts;

mod aliases;
mod constraints;
mod office;
mod office_builds;
mod other_skill;
mod renamed;
mod shapes;
mod unseen_changes;
mod versions;
mod ways_out;

use errors::chain;
use restarts::{kill, start, subscribed};
