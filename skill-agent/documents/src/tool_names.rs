//! The names of the tools that offer documents to a model. No action of an agent that offers documents may have one
//! of them.

/// Loads a document.
pub const SKILL_TOOL: &str = "skill";

/// Searches documents.
pub const SEARCH_TOOL: &str = "search_skills";

/// Reads a file of a document.
pub const FILE_TOOL: &str = "read_skill_file";

/// All of them.
pub const CATALOG_TOOLS: [&str; 3] = [SKILL_TOOL, SEARCH_TOOL, FILE_TOOL];
