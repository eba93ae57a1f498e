//! The names of the tools that offer documents to a model. An agent that offers documents must not have an action with any of
//! these names.

/// The tool that loads a document.
pub use skill_core::process::SKILL_TOOL;

/// The tool that searches documents.
pub const SEARCH_TOOL: &str = "search_skills";

/// The tool that reads a document's file.
pub const FILE_TOOL: &str = "read_skill_file";

/// All tools of a catalog.
pub const CATALOG_TOOLS: [&str; 3] = [SKILL_TOOL, SEARCH_TOOL, FILE_TOOL];
