//! SKILL.md documents: embedded at compile time, found in folders, offered to a model, invoked by a person.
//!
//! To check a single document, call [`check`]. This module also re-exports the public API of the crate `skill-manifest`. A
//! [`Catalog`] collects the documents from several [`Source`]s. It contains the offered documents, and a reason for each document
//! that is not offered. [`AgentDocs`] has the agents of a folder.

mod agent_docs;
mod audience;
mod catalog;
mod command;
mod composition;
mod documents;
mod error;
mod escape;
mod folder;
mod key;
mod mounted;
mod prompt;
mod resource_path;
pub mod selection;
mod skill_files;
mod sources;
mod texts;
mod tool;
#[cfg(feature = "watch")]
mod watch;

pub use agent_docs::{AgentDocError, AgentDocs, AgentFolderError};
pub use catalog::{
    ActivateDocumentError, Catalog, CatalogBuilder, CatalogChanges, CatalogChoices, CatalogEntry,
    SelectionText,
};
pub use command::{ArgumentError, CommandError, CommandOutcome, tool_arguments};
pub use documents::Documents;
pub use error::{ConfigError, DocumentReadError, EnableError, LoadError, TrustError};
pub use mounted::MountDocs;
pub use prompt::SkillsPrompt;
pub use resource_path::PathProblem;
pub use sources::Sources;
pub use sources::hash::{ContentHash, ParseHashError};
pub use sources::host::SystemHost;
pub use sources::source::Source;
pub use tool::access::ToolAccess;
#[cfg(feature = "watch")]
pub use watch::{CatalogWatcher, WatchError};

pub use skill_manifest::{
    AgentDoc, CollisionPolicy, Diagnostic, DiagnosticCode, Dialect, DocText, DocTextList,
    DocumentLimits, Eligibility, Enforcement, FrontmatterField, FrontmatterPolicy, Host, IdSource,
    InvocationMode, LengthUnit, LinkPolicy, NameCharset, Report, ScalarType, Severity, SkillDoc,
    SkillsConfig, Triggers, UnmetCondition, check, check_agent, check_agent_at, check_agent_bytes,
    check_at, check_bytes, check_config, misspelled_tools, sanitize_name, track,
};

/// For generated code only. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use super::catalog::full_text_element;
    pub use super::composition::{
        CheckInput, CheckedDocs, ListedDocs, LocatedDoc, check_const, count_docs, located_docs,
        report_allow_skills, report_entry, tool_names,
    };
    pub use super::documents::AgentDocuments;
    pub use super::escape::{attribute, end_tags};
    pub use super::folder::inside;
    pub use super::resource_path::parts as file_path;
    pub use super::texts::{misspelled_tools_of, warn_of_misspelled_tools};
    pub use crate::composition::dispatches;
    pub use crate::prompt::description::purpose;
    pub use crate::tool::model_text::{ToolProblem, reason};
    pub use crate::tool::names::{CATALOG_TOOLS, FILE_TOOL, SEARCH_TOOL, SKILL_TOOL};
    pub use skill_manifest::__private::{
        Embedded, Some, ToolDispatch, breaks_line, escape_invisible, folded_id, frontmatter_json,
        id_problem, include_bytes, is_invisible, is_invisible_after, is_visible, position,
        sanitize_message, text, too_large, words_in_backticks,
    };
    pub use skill_manifest::SkillDoc;
}
