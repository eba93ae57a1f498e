//! Which documents a caller may read without a call to a tool of the catalog.

use super::ToolSession;
use super::call::{Call, Key};
use super::inner::{Found, Inner};
use crate::list::ListedTool;
use crate::sources::{CatalogSource, Source};
use serde_json::{Value, json};
use skill_agent_documents::__private::{FILE_TOOL, SKILL_TOOL};
use skill_agent_documents::Catalog;
use skill_core::ToolBuf;
use skill_core::spec::Hints;
use std::sync::Arc;

/// The documents of a toolbox's catalog, and the rights of a session's caller to read them, as the toolbox's guard decides on the
/// tools of the catalog. Created by [`ToolSession::into_document_rights`].
#[derive(Debug)]
pub struct DocumentRights {
    inner: Inner,
    catalog: Arc<Catalog>,
    /// `None` if the toolbox withholds the tool.
    skill: Option<Found>,
    file: Option<Found>,
}

impl ToolSession {
    /// Converts the session into the rights of its caller. Returns `None` if the toolbox has no catalog.
    #[doc(hidden)]
    pub async fn into_document_rights(self) -> Option<DocumentRights> {
        let Self { inner, .. } = self;
        let sources = &inner.shared.sources;
        let at = sources
            .iter()
            .position(|source| matches!(source, Source::Catalog(_)))?;
        let source = inner.shared.catalog()?;
        let catalog = source.catalog();
        // a catalog lists its tools at once, so this list is current
        let merged = inner.shared.current().await;
        let is_withheld = inner.withholds(CatalogSource::NAME);
        let found = |tool: &str| match merged.find(tool) {
            _ if is_withheld => None,
            Some((owner, listed)) if owner == at => Some(Found::Of(owner, Arc::clone(listed))),
            _ if source.has_tool(tool) => None,
            // without listed documents, the catalog has no such tool, but the guard still decides
            _ => Some(Found::Of(at, Arc::new(stand_in(tool)))),
        };
        let (skill, file) = (found(SKILL_TOOL), found(FILE_TOOL));
        Some(DocumentRights {
            inner,
            catalog,
            skill,
            file,
        })
    }
}

/// Returns a tool that the catalog does not list, for the guard.
fn stand_in(name: &str) -> ListedTool {
    let schema = json!({ "type": "object" });
    let mut tool = ToolBuf::new(name, "Reads a document.", schema);
    tool.hints = Hints::NONE.read_only();
    ListedTool::builtin(tool, CatalogSource::NAME)
}

impl DocumentRights {
    /// Returns the catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns whether the toolbox withholds the tool that loads documents, for example because of a data flow.
    pub fn are_withheld(&self) -> bool {
        self.skill.is_none()
    }

    /// Returns whether the caller may read a document without an approval.
    pub fn allow_document(&self, id: &str) -> bool {
        self.allow(self.skill.as_ref(), &json!({ "skill_name": id }))
    }

    /// Returns whether the caller may read a file of a document without an approval. Does not decide on the document itself.
    pub fn allow_file(&self, id: &str, path: &str) -> bool {
        let file = json!({ "skill": id, "path": path });
        self.allow(self.file.as_ref(), &file)
    }

    fn allow(&self, tool: Option<&Found>, arguments: &Value) -> bool {
        tool.is_some_and(|found| Call::new(&self.inner, found, Key::None).is_allowed(arguments))
    }
}
