//! An agent with five skills and 68 actions, and the code that the example programs share.
//!
//! The skills are those of the Berkeley Function Calling Leaderboard's multi-turn tasks: a file
//! system, mathematics, support tickets, messages and short public posts. Each keeps state, so the
//! calls of a conversation depend on each other, and each is a folder of [`skills`] that can be read
//! on its own.
//!
//! [`agent!`](skill_agent::prelude::agent) composes them. The compiler checks that the 68 names do
//! not clash and that every action belongs to a listed skill.
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
//! The program `tool_calls` uses [`completion`], which reads tool calls and writes their answers, and
//! [`replay`], which repeats recorded conversations and compares the answers. `mounted_skills` uses
//! the skills in [`mountable`]. `served_agent` serves three of them and the [`ticker`], with [`lines`]
//! of JSON as input and output. `librarian` prints the reports of [`librarian`]. `catalog_load` and `server_load` measure with [`memory`].
//! [`worked`] has examples of the documents that the library follows, translated line by line.

pub mod completion;
pub mod librarian;
pub mod lines;
pub mod memory;
pub mod mountable;
pub mod replay;
pub mod skills;
pub mod ticker;
pub mod worked;

use skill_agent::prelude::*;
use skills::{FileSystem, Math, Message, Posting, Ticket};

agent! {
    /// An assistant for files, numbers, tickets, messages and tweets.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Workbench {
        name: "workbench",
        version: "0.1.0",
        skills: [FileSystem, Math, Ticket, Message, Posting],
    }
}
