//! SKILL.md and AGENT.md: parsed, and checked against the dialect they are written in.
//!
//! Text in, data out: nothing here reads a file, a clock or the environment, so the macros that embed a document and the
//! loader that finds one at run time give the same verdict.
//!
//! - [`check`], [`check_at`], [`check_bytes`]: a text, everything that is wrong with it, and the [`SkillDoc`] when it loads.
//! - [`Dialect`]: what a family of documents requires, allows and forgives, as a table.
//! - [`Diagnostic`]: one finding, with a stable [`Code`], line, column and help.
//! - [`AgentDoc`]: AGENT.md, by [`check_agent`].
//!
//! ```
//! use skill_manifest::{Dialect, check};
//!
//! let text = "---\nname: code-review\ndescription: Review a change.\n---\n# Review\nRead it twice.\n";
//! let report = check(text, &Dialect::AGENT_SKILLS);
//! let doc = report.doc().expect("it loads");
//! assert_eq!(doc.id, "code-review");
//! assert_eq!(doc.body, "# Review\nRead it twice.");
//! ```
#![forbid(unsafe_code)]

mod agent_doc;
mod check;
mod code;
mod diagnostic;
mod dialect;
mod doc;
mod frontmatter;
mod repair;
mod report;
mod sanitize;
mod yaml;

pub use agent_doc::{AgentDoc, check_agent};
pub use check::{check, check_at, check_bytes};
pub use code::{Code, Severity};
pub use diagnostic::Diagnostic;
pub use dialect::{Charset, Dialect, Field, Frontmatter, IdSource, Limits, Rule, Scalars, Unit};
pub use doc::{Eligibility, Host, InvocationMode, List, SkillDoc, Text, Triggers, Unmet};
pub use report::Report;
pub use sanitize::sanitize_name;
