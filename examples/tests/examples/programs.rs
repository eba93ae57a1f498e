//! The programs. An example is not a library, so its source is included as a module.

#[path = "../../chat.rs"]
pub mod chat;
#[path = "../../math_agent.rs"]
pub mod math_agent;
#[path = "../../served_agent.rs"]
pub mod served_agent;
#[path = "../../server_load.rs"]
pub mod server_load;
#[path = "../../tool_calls.rs"]
pub mod tool_calls;
