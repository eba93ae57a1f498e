//! A new build on the store of an earlier one.

#[path = "../common/errors.rs"]
mod errors;

#[path = "../common/restarts.rs"]
mod restarts;

mod aliases;
mod other_skill;
mod versions;

use errors::chain;
use restarts::{kill, start};
