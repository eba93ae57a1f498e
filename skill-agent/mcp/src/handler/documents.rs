//! The documents of the toolbox's catalog, as resources.

use super::{Handler, Inner};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    DIRECTORY_MIME_TYPE, ErrorCode, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, SKILL_MD,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use skill_agent_documents::__private::{purpose, reason};
use skill_agent_documents::{Catalog, CatalogEntry, DocumentReadError, SkillDoc};
use skill_agent_toolbox::__private::DocumentRights;
use skill_agent_toolbox::ToolSession;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The number of documents in a page of a list.
const PAGE: usize = 50;
/// The characters of a part of a URI that stay as they are.
const IN_URI: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The documents that a caller may read.
pub(super) struct Documents {
    rights: DocumentRights,
    cancelled: CancellationToken,
}

impl Inner {
    /// Runs `work` with the documents that the session's caller may read, on a thread that may block on files. Returns `None` if the
    /// toolbox has no catalog. A few requests run at a time. The others wait, unless their clients cancel them.
    pub(super) async fn with_documents<T: Send + 'static>(
        &self,
        request: DocumentRequest,
        work: impl FnOnce(&Documents) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<Option<T>, ErrorData> {
        let DocumentRequest {
            permit: _waiting,
            session,
            reading,
            cancelled,
        } = request;
        let Some(rights) = session.into_document_rights().await else {
            return Ok(None);
        };
        let permit = cancelled.run_until_cancelled(reading.acquire_owned());
        let permit = permit.await.ok_or_else(was_cancelled)?;
        let documents = Documents { rights, cancelled };
        let work = move || {
            let _permit = permit;
            work(&documents).map(Some)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| {
            tracing::error!(%error, "a document could not be read");
            Err(ErrorData::internal_error(
                "the document cannot be read",
                None,
            ))
        })
    }
}

impl Handler {
    pub(super) fn reading(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DocumentRequest, ErrorData> {
        Ok(DocumentRequest {
            permit: self.permit()?,
            session: self.session(),
            reading: Arc::clone(&self.limits.reading),
            cancelled: context.ct,
        })
    }

    /// Runs `work` with the documents, which a client finds only if the server declares resources.
    pub(super) async fn with_documents<T: Send + 'static>(
        &self,
        context: RequestContext<RoleServer>,
        work: impl FnOnce(&Documents) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let request = self.reading(context)?;
        let done = self.inner.with_documents(request, work).await?;
        done.ok_or_else(|| {
            let message = "the server has no documents";
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
        })
    }
}

/// A client's request that reads documents.
pub(super) struct DocumentRequest {
    /// Bounds the requests that wait.
    pub(super) permit: OwnedSemaphorePermit,
    pub(super) session: ToolSession,
    /// Permits for requests that read documents.
    pub(super) reading: Arc<Semaphore>,
    pub(super) cancelled: CancellationToken,
}

/// No response is sent.
fn was_cancelled() -> ErrorData {
    ErrorData::internal_error("the request was cancelled", None)
}

impl Documents {
    pub(super) fn catalog(&self) -> &Catalog {
        self.rights.catalog()
    }

    pub(super) fn allow(&self, entry: &CatalogEntry) -> bool {
        self.rights.allow_document(&entry.id)
    }

    /// Returns whether the caller may read a file of a document that the caller may read.
    pub(super) fn allow_file(&self, entry: &CatalogEntry, path: &str) -> bool {
        self.rights.allow_file(&entry.id, path)
    }

    /// Returns an error if the client has cancelled the request.
    pub(super) fn check_cancelled(&self) -> Result<(), ErrorData> {
        if self.cancelled.is_cancelled() {
            Err(was_cancelled())
        } else {
            Ok(())
        }
    }

    /// Returns a page of the documents that are listed for a model, and the cursor of the next one. Documents for people alone are
    /// prompts.
    pub(super) fn page(
        &self,
        cursor: Option<&str>,
    ) -> Result<(Vec<&CatalogEntry>, Option<String>), ErrorData> {
        let start: usize = match cursor {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| {
                ErrorData::invalid_params(format!("`{cursor}` is not a cursor of this list"), None)
            })?,
        };
        let listed = self.catalog().listed_for_models();
        let mut rest = listed.skip(start);
        let page = rest.by_ref().take(PAGE).filter(|entry| self.allow(entry));
        let page = page.collect();
        let next = rest.next().map(|_| (start + PAGE).to_string());
        Ok((page, next))
    }

    /// Returns the document of a model that satisfies `is_meant`, unless the caller may not read it.
    pub(super) fn find(
        &self,
        mut is_meant: impl FnMut(&CatalogEntry) -> bool,
    ) -> Option<&CatalogEntry> {
        let entry = self.catalog().for_models().find(|entry| is_meant(entry))?;
        self.allow(entry).then_some(entry)
    }

    /// Returns the document and the path below its folder that a URI means. Whether the caller may read a file at the path is not
    /// checked.
    fn located<'u>(&self, uri: &'u str) -> Result<(&CatalogEntry, Cow<'u, str>), ErrorData> {
        let entry = self.find(|entry| uri.starts_with(&root(entry)));
        let located = entry.and_then(|entry| {
            let path = uri.strip_prefix(&root(entry))?;
            let path = percent_decode_str(path).decode_utf8().ok()?;
            Some((entry, path))
        });
        located.ok_or_else(|| not_found(uri))
    }
}

/// Returns the URI of a document's folder, with a slash at the end. Its last part is the name in the frontmatter.
fn root(entry: &CatalogEntry) -> String {
    let (id, name) = (&*entry.id, &*entry.doc().name);
    let mut root = format!("skill://{}/", utf8_percent_encode(id, IN_URI));
    if !name.is_empty() && name != id {
        let _ = write!(root, "{}/", utf8_percent_encode(name, IN_URI));
    }
    root
}

/// Returns the URI of a document, or of a file at a path below its folder.
pub(super) fn uri(entry: &CatalogEntry, path: &str) -> String {
    let parts = path.split('/');
    let parts: Vec<_> = parts
        .map(|part| utf8_percent_encode(part, IN_URI).to_string())
        .collect();
    root(entry) + &parts.join("/")
}

/// Returns the contents of a document, or of a file at a path below its folder.
pub(super) fn bytes(
    catalog: &Catalog,
    entry: &CatalogEntry,
    path: &str,
) -> Result<Vec<u8>, DocumentReadError> {
    if path != SKILL_MD {
        return catalog.resource(&entry.id, path);
    }
    let (doc, file) = catalog.file_for_model(entry)?;
    Ok(file.unwrap_or_else(|| written(&doc).into_bytes()))
}

/// Writes an embedded document, which has no file.
fn written(doc: &SkillDoc) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string(); // JSON is YAML
    format!(
        "---\nname: {}\ndescription: {}\n---\n\n{}\n",
        quoted(&doc.name),
        quoted(purpose(doc)),
        doc.body
    )
}

pub(super) fn not_found(uri: &str) -> ErrorData {
    let data = serde_json::json!({ "uri": uri });
    ErrorData::resource_not_found(format!("there is no resource `{uri}`"), Some(data))
}

/// Converts an error into one without paths of this machine.
pub(super) fn unreadable(what: &str, error: &DocumentReadError) -> ErrorData {
    let reason = reason(error).unwrap_or_else(|| "it no longer exists".to_owned());
    ErrorData::resource_not_found(format!("`{what}` cannot be read: {reason}"), None)
}

/// `resources/list`: the documents of a page, with their files.
pub(super) fn list(
    documents: &Documents,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let (page, next) = documents.page(cursor)?;
    let mut resources = Vec::new();
    for entry in page {
        documents.check_cancelled()?;
        let doc = entry.doc();
        let mut document =
            Resource::new(uri(entry, SKILL_MD), &*doc.name).with_mime_type(media_type(SKILL_MD));
        let purpose = purpose(doc);
        document.description = (!purpose.is_empty()).then(|| purpose.to_string());
        resources.push(document);
        let files = documents
            .catalog()
            .resources(&entry.id)
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "the files of a document are not listed for MCP clients");
                Vec::new()
            });
        let files = files.iter();
        let files = files.filter(|path| documents.allow_file(entry, path));
        resources.extend(files.map(|path| file(entry, path)));
    }
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    Ok(result)
}

fn file(entry: &CatalogEntry, path: &str) -> Resource {
    let name = format!("{}/{path}", entry.id);
    Resource::new(uri(entry, path), name).with_mime_type(media_type(path))
}

/// `resources/read`.
pub(super) fn read(documents: &Documents, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (entry, path) = documents.located(uri)?;
    if path != SKILL_MD && !documents.allow_file(entry, &path) {
        return Err(not_found(uri));
    }
    let bytes = bytes(documents.catalog(), entry, &path);
    let bytes = bytes.map_err(|error| unreadable(uri, &error))?;
    let contents = match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(error) => ResourceContents::blob(STANDARD.encode(error.as_bytes()), uri),
    };
    let contents = contents.with_mime_type(media_type(&path));
    Ok(ReadResourceResult::new(vec![contents]))
}

/// `resources/directory/read`: the files and folders directly in a folder of a document.
pub(super) fn directory(
    documents: &Documents,
    uri: &str,
) -> Result<ListResourcesResult, ErrorData> {
    let folder = format!("{}/", uri.trim_end_matches('/'));
    let (entry, below) = documents.located(&folder)?;
    let files = documents
        .catalog()
        .resources(&entry.id)
        .map_err(|error| unreadable(uri, &error))?;
    let files = files.iter().map(String::as_str);
    let files = files.filter(|path| documents.allow_file(entry, path));
    let all = files.chain([SKILL_MD]);
    let mut resources = Vec::new();
    let mut folders = BTreeSet::new();
    for path in all {
        match path.strip_prefix(&*below).map(|rest| rest.split_once('/')) {
            Some(Some((name, _))) if folders.insert(name) => {
                let path = format!("{below}{name}");
                resources.push(file(entry, &path).with_mime_type(DIRECTORY_MIME_TYPE));
            }
            Some(None) => resources.push(file(entry, path)),
            _ => {}
        }
    }
    if resources.is_empty() {
        return Err(not_found(uri));
    }
    Ok(ListResourcesResult::with_all_items(resources))
}

/// Returns the media type that a file has by its extension.
fn media_type(path: &str) -> &'static str {
    let extension = Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str());
    match extension.unwrap_or_default() {
        "md" => "text/markdown",
        "html" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "xml" => "application/xml",
        "yaml" | "yml" => "application/yaml",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "zip" => "application/zip",
        "" | "txt" | "toml" | "py" | "sh" | "rs" | "ts" => "text/plain",
        _ => "application/octet-stream",
    }
}
