//! Traits for bounds in generic code over skills, actions and agents. All have blanket or generated impls.
//!
//! The files in this folder have one trait for each way a user's type is used. Each trait replaces several bounds
//! (`Clone + Serialize + …`) and has hidden methods for their operations. If the bounds were supertraits, one forgotten derive
//! would cause several rustc errors. Behind a blanket impl with `do_not_recommend`, the bounds cause one error, with our message,
//! at the user's token.
//!
//! The bounds on a skill's state are bounds on its *configuration* ([`ConfigOf`]). A bound on an associated type is checked once,
//! where the skill is implemented; a supertrait would be checked everywhere the skill is mentioned.

mod answer;
mod arguments;
mod configuration;
mod state;

pub use crate::action::{ActionOf, ConditionResult, Kind};
pub use crate::agent::{AgentRunsWith, ListedIn, RunsOn, SkillOf};
pub use crate::arguments::{Length, Ranged, Textual};
pub use crate::async_action::{RunsWith, SkillRunsWith};
pub use crate::mounted::SkillList;
pub use answer::{ActionError, Answer};
pub use arguments::{ActionArguments, Argument};
pub use configuration::{ConfigOf, Configuration};
pub use state::SkillState;

#[doc(hidden)]
pub use configuration::ConfigFns;
pub(crate) use state::{PartialJson, SharedState, of, of_mut};
#[doc(hidden)]
pub use state::{StateFns, StoredState};
