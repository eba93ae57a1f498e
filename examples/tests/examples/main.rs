//! Tests of the examples: one binary, because each one is linked with the whole library.

mod chat;
mod chat_replay;
mod contracts;
mod documents_name_tools;
mod enable_disable;
mod handle_signal;
mod lenient_replay;
mod librarian;
mod mounted_skills;
mod mounting;
mod own_tools;
mod providers;
mod schemas;
mod served_agent;
mod skills;
mod skills_are_fit;
mod tool_calls;

#[allow(dead_code, unreachable_pub, reason = "a helper of other tests too")]
#[path = "../../../tests/tests/common/oracle.rs"]
mod oracle;

#[allow(dead_code, unreachable_pub, reason = "each is a program")]
mod programs;
