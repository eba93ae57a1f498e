//! Traits that bound generic code over skills, actions and agents. All have blanket or generated impls.
//!
//! The files of this folder have one trait for each use of a type of the user. Each replaces several bounds
//! (`Clone + Serialize + …`) and has hidden methods for what those bounds allow.
//! As supertraits, the bounds would cause one rustc error each for one forgotten derive. Behind a blanket impl with
//! `do_not_recommend` they cause one error, with our message, at the user's token.
//!
//! The bounds of the state of a skill are bounds of its *configuration* ([`ConfigOf`]): a bound on an associated type is checked
//! once, where the skill is implemented, but a supertrait everywhere the skill is mentioned.

mod answer;
mod arguments;
mod configuration;
mod state;

pub use crate::action::{ActionOf, Kind};
pub use crate::agent::{AgentRunsWith, ListedIn, RunsOn, SkillOf};
pub use crate::arguments::{Length, Ranged, Textual};
pub use crate::async_action::{RunsWith, SkillRunsWith};
pub use crate::mounted::SkillList;
pub use answer::{ActionError, Answer};
pub use arguments::{ActionArguments, Argument};
pub use configuration::{ConfigOf, Configuration};
pub use state::SkillState;

#[doc(hidden)]
pub use state::StoredState;
pub(crate) use state::{PartialJson, SharedState, Undo};
