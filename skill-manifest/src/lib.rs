//! Parses SKILL.md and AGENT.md files, and checks them against a dialect.
//!
//! Nothing in this crate reads documents, the clock or the environment. The macros that embed documents and the loader that reads
//! them at run time therefore get the same result.
//!
//! - [`check`], [`check_at`], [`check_bytes`]: check a document. The report contains every problem and, if the document loads,
//!   the [`SkillDoc`].
//! - [`Dialect`]: a table of the rules for a family of documents.
//! - [`Diagnostic`]: a problem, with a stable [`DiagnosticCode`], a line, a column and help.
//! - [`AgentDoc`]: a parsed AGENT.md, returned by [`check_agent`].
//! - [`SkillsConfig`]: the part of a program's configuration that concerns documents, returned by [`check_config`].
//! - [`misspelled_tools`]: finds words in backticks that look like misspelled tool names.
//! - [`track`]: a function for a `build.rs`, which makes Cargo rebuild when a folder gets a new document.
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
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod agent_doc;
mod check;
mod config;
mod diagnostic;
mod dialect;
mod doc;
mod frontmatter;
pub(crate) mod patterns;
mod private;
mod repair;
mod restriction_key;
mod sanitize;
mod tool_words;
mod track;
mod yaml;
mod yaml_help;

pub use agent_doc::{AgentDoc, check_agent, check_agent_at, check_agent_bytes};
pub use check::{check, check_at, check_bytes};
pub use config::{SkillsConfig, check_config};
pub use diagnostic::Diagnostic;
pub use diagnostic::code::{DiagnosticCode, Severity};
pub use diagnostic::report::Report;
pub use dialect::{
    CollisionPolicy, Dialect, DocumentLimits, Enforcement, FrontmatterField, FrontmatterPolicy,
    IdSource, LengthUnit, LinkPolicy, NameCharset, ScalarType,
};
pub use doc::{
    DocText, DocTextList, Eligibility, Host, InvocationMode, SkillDoc, Triggers, UnmetCondition,
};
pub use sanitize::sanitize_name;
pub use tool_words::misspelled_tools;
pub use track::track;

/// For generated code only. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::InvocationMode::ToolDispatch;
    pub use crate::SkillDoc;
    pub use crate::check::{
        breaks_line, ends_word, escape_invisible, id_problem, is_invisible, is_invisible_after,
        is_visible, sanitize_message, too_large,
    };
    pub use crate::doc::first_sentence;
    pub use crate::patterns::glob::{GlobError, compile_glob, glob_to_regex};
    pub use crate::patterns::pattern::compile_pattern;
    pub use crate::private::{Embedded, folded_id, frontmatter_json, position, text};
    pub use crate::tool_words::{Word, misspelled_tool, words_in_backticks};
    pub use core::include_bytes;
    pub use core::option::Option::Some;
}
