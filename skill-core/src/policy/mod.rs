//! The actions that an agent refuses, because it forbids one of their hints or because they complete a data flow that could leak
//! data.
//!
//! `agent!` uses these functions at compile time to check its listed skills and actions, and [`Mounted`](crate::Mounted) uses
//! them for skills mounted at run time. The functions are public so that other sources of tools can follow the same rules.

mod data_flow;
mod forbidden;
mod owner;

pub(crate) use data_flow::excluded_by;
pub use data_flow::{DataFlow, DataFlowError, FlowAction};
pub(crate) use forbidden::ForbiddenText;
pub use forbidden::{ForbiddenAction, ForbiddenActions};
pub use owner::ActionOwner;
