//! Tool names at an MCP server.

use std::collections::BTreeSet;

/// Tool names at an MCP server, in an array or a set. Do not implement this trait.
///
/// A name alone is no list, and neither are its characters:
///
/// ```
/// # use skill_agent::mcp::{McpClient, McpTools};
/// fn allowed(client: McpClient) -> McpTools {
///     client.allow(["increment"])
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use skill_agent::mcp::{McpClient, McpTools};
/// fn allowed(client: McpClient) -> McpTools {
///     client.allow("increment") // `&str` is not a list of tool names
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use skill_agent::mcp::{McpClient, McpTools};
/// fn allowed(client: McpClient) -> McpTools {
///     client.allow("increment".chars()) // `Chars<'_>` is not a list of tool names
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tool names",
    label = "not a list of tool names",
    note = "write `.allow([\"increment\"])`, with the names of the tools at the server"
)]
pub trait ToolNames {
    #[doc(hidden)]
    fn into_set(self) -> BTreeSet<String>;
}

// a `char` is not a name, but `Into<String>`
#[diagnostic::do_not_recommend]
impl<L: IntoIterator<Item: AsRef<str>>> ToolNames for L {
    fn into_set(self) -> BTreeSet<String> {
        let names = self.into_iter();
        names.map(|name| name.as_ref().to_owned()).collect()
    }
}
