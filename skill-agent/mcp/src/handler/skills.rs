//! The documents of the toolbox's catalog, by the Skills extension (SEP-2640): with the digests of their files.

use super::documents::{Documents, bytes, unreadable, uri};
use crate::skill::{MAX_SKILL_BYTES, MAX_SKILL_FILES, frontmatter};
use rmcp::ErrorData;
use rmcp::model::{
    ListSkillsResult, SKILL_MD, Skill, SkillResource, SkillResources, SkillValidationError,
};
use skill_agent_documents::{CatalogEntry, DocumentReadError};

/// `skills/list`: the documents of a page that the extension allows.
pub(super) fn list(
    documents: &Documents,
    cursor: Option<&str>,
) -> Result<ListSkillsResult, ErrorData> {
    let (page, next) = documents.page(cursor)?;
    let mut skills = Vec::new();
    for entry in page {
        match skill(documents, entry) {
            Ok(skill) => skills.push(skill),
            Err(NoSkill::Cancelled(error)) => return Err(error),
            Err(reason) => {
                tracing::warn!(document = %entry.id, %reason, "a document is not a skill for MCP clients");
            }
        }
    }
    let mut result = ListSkillsResult::with_all_items(skills);
    result.next_cursor = next;
    Ok(result)
}

/// `skills/get`.
pub(super) fn get(documents: &Documents, requested: &str) -> Result<Skill, ErrorData> {
    let entry = documents.find(|entry| uri(entry, SKILL_MD) == requested);
    let unknown = || ErrorData::invalid_params(format!("there is no skill `{requested}`"), None);
    skill(documents, entry.ok_or_else(unknown)?).map_err(|reason| match reason {
        NoSkill::Unreadable(error) => unreadable(requested, &error),
        NoSkill::Cancelled(error) => error,
        other => ErrorData::invalid_params(other.to_string(), None),
    })
}

/// Why a document is a resource, but not a skill.
#[derive(Debug, thiserror::Error)]
enum NoSkill {
    #[error(transparent)]
    Unreadable(#[from] DocumentReadError),
    #[error("its frontmatter is not YAML with strings for `name` and `description`")]
    Frontmatter,
    #[error(transparent)]
    Invalid(#[from] SkillValidationError),
    #[error("the request was cancelled")]
    Cancelled(ErrorData),
}

fn skill(documents: &Documents, entry: &CatalogEntry) -> Result<Skill, NoSkill> {
    let document = bytes(documents.catalog(), entry, SKILL_MD)?;
    let frontmatter = frontmatter(&document).ok_or(NoSkill::Frontmatter)?;
    let skill = Skill::new(
        uri(entry, SKILL_MD),
        frontmatter,
        files(documents, entry, &document)?,
    );
    skill.validate()?;
    Ok(skill)
}

/// Returns the digests of a document's files. There are none if the caller may not read one of them, because a list of digests is
/// complete.
fn files(
    documents: &Documents,
    entry: &CatalogEntry,
    document: &[u8],
) -> Result<SkillResources, NoSkill> {
    let catalog = documents.catalog();
    let paths = catalog.resources(&entry.id)?;
    let is_denied = |path: &String| !documents.allow_file(entry, path);
    if paths.len() >= MAX_SKILL_FILES || paths.iter().any(is_denied) {
        return Ok(SkillResources::Dynamic);
    }
    let mut size = document.len();
    let mut files = vec![SkillResource::from_bytes(uri(entry, SKILL_MD), document)];
    for path in paths {
        documents.check_cancelled().map_err(NoSkill::Cancelled)?;
        let bytes = catalog.resource(&entry.id, &path)?;
        size += bytes.len();
        if size > MAX_SKILL_BYTES {
            return Ok(SkillResources::Dynamic);
        }
        files.push(SkillResource::from_bytes(uri(entry, &path), &bytes));
    }
    Ok(SkillResources::Files(files))
}
