//! An agent of five skills and 68 actions.
//!
//! The skills are those of the Berkeley Function Calling Leaderboard's multi-turn tasks: a file
//! system, mathematics, support tickets, messages and short public posts. Each keeps state, so that
//! a conversation is more than a row of independent calls, and each is a folder of [`skills`] that
//! can be read on its own.
//!
//! [`agent!`](skill_agent::prelude::agent) puts them together. That the 68 names do not clash, and
//! that every action belongs to a skill that is there, is checked by the compiler.
//!
//! ```
//! use skill_agent::Agent;
//! use skill_examples::Workbench;
//!
//! let mut agent = Workbench::new();
//! agent.call_json("mkdir", r#"{"dir_name":"notes"}"#)?;
//! assert_eq!(agent.call_json("ls", "{}")?.output, r#"{"current_directory_content":["notes"]}"#);
//!
//! let refused = agent.call_json("cd", r#"{"folder":"novels"}"#).unwrap_err();
//! assert!(refused.to_string().contains("No such file or directory"));
//! # Ok::<(), skill_agent::prelude::CallError>(())
//! ```
//!
//! Two modules serve the program `tool_calls`: [`completion`] reads what a model asked for and
//! writes what it is told, [`replay`] repeats recorded conversations and compares. The skills in
//! [`worked`] are those of `mounted_skills`. Three of them and the [`ticker`] are served by `served_agent`,
//! with [`lines`] in and out.

pub mod completion;
pub mod lines;
pub mod replay;
pub mod skills;
pub mod ticker;
pub mod worked;

use skill_agent::prelude::*;
use skills::{FileSystem, Math, Message, Posting, Ticket};

agent! {
    /// An assistant with files, numbers, tickets, messages and tweets at hand.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Workbench {
        name: "workbench",
        version: "0.1.0",
        skills: [FileSystem, Math, Ticket, Message, Posting],
    }
}
