//! Which documents a caller may read without a call to a tool of the catalog.

use super::call::{Call, Key};
use super::inner::{Found, Inner};
use super::{ToolError, ToolSession};
use serde_json::{Value, json};
use skill_agent_documents::__private::{FILE_TOOL, SKILL_TOOL};

/// The rights of a session's caller to read documents, as the toolbox's guard decides on the tools of the catalog. Created by
/// [`ToolSession::into_document_rights`].
#[derive(Debug)]
pub struct DocumentRights {
    inner: Inner,
    skill: Right,
    file: Right,
}

/// The tool whose calls the guard decides on.
#[derive(Debug)]
enum Right {
    Tool(Found),
    /// The catalog lists no such tool, so nobody decides on it.
    Always,
    /// The toolbox withholds the tool.
    Never,
}

impl ToolSession {
    /// Converts the session into the rights of its caller.
    #[doc(hidden)]
    pub async fn into_document_rights(self) -> DocumentRights {
        let Self { inner, .. } = self;
        let right = async |tool| match inner.find(tool).await {
            Ok(found) => Right::Tool(found),
            Err(ToolError::Unknown { .. }) => Right::Always,
            Err(_) => Right::Never,
        };
        let (skill, file) = (right(SKILL_TOOL).await, right(FILE_TOOL).await);
        DocumentRights { inner, skill, file }
    }
}

impl DocumentRights {
    /// Returns whether the caller may read a document without asking anybody.
    pub fn allow_document(&self, id: &str) -> bool {
        self.allow(&self.skill, &json!({ "skill_name": id }))
    }

    /// Returns whether the caller may read a file of a document without asking anybody.
    pub fn allow_file(&self, id: &str, path: &str) -> bool {
        let file = json!({ "skill": id, "path": path });
        self.allow_document(id) && self.allow(&self.file, &file)
    }

    fn allow(&self, right: &Right, arguments: &Value) -> bool {
        match right {
            Right::Tool(found) => Call::new(&self.inner, found, Key::None).is_allowed(arguments),
            Right::Always => true,
            Right::Never => false,
        }
    }
}
