//! The actions that an agent refuses, because it forbids their hint or because they complete a data flow that could leak data.
//!
//! `agent!` judges the skills and actions that it lists with these functions while compiling, and [`Mounted`](crate::Mounted) the skills
//! that are mounted at run time. They are public for other sources of tools, whose tools the same rules should hold for.

mod data_flow;
mod forbidden;
mod owner;

pub(crate) use data_flow::excluded_by;
pub use data_flow::{DataFlow, DataFlowError, FlowAction};
pub(crate) use forbidden::ForbiddenText;
pub use forbidden::{ForbiddenAction, ForbiddenActions};
pub use owner::ActionOwner;
