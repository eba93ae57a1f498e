//! The files of a skill, and why a skill is left out.

use crate::skill::{MAX_SKILL_BYTES, MAX_SKILL_FILES};
use percent_encoding::percent_decode_str;
use rmcp::model::{
    SKILL_MD, Skill, SkillIntegrityError, SkillResource, SkillResources, SkillValidationError,
};
use skill_agent_documents::__private::{file_path, folded_id};
use skill_agent_documents::{DocumentLimits, PathProblem};
use std::path::{Path, PathBuf};

/// The maximum length of a file's name. File systems have no longer ones.
const MAX_NAME_BYTES: usize = 255;

/// Why a skill is left out.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("another skill of the server has its name")]
    Twice,
    #[error("the server gives no digests of its files")]
    Dynamic,
    #[error("it has more than {MAX_SKILL_FILES} files, or more than {MAX_SKILL_BYTES} bytes")]
    TooLarge,
    #[error("`{uri}` is no file of it: {problem}")]
    Path { uri: String, problem: PathProblem },
    #[error("`{0}` has a part with more than {MAX_NAME_BYTES} bytes")]
    LongName(String),
    #[error("a path is there twice, or is the folder of another one; case makes no difference")]
    Paths,
    #[error("`{0}` cannot be read: the server returns no contents, or several")]
    Contents(String),
    #[error("`{uri}` cannot be read: {reason}")]
    Unreadable { uri: String, reason: String },
    #[error("the frontmatter of its document is not the one that the server lists")]
    Frontmatter,
    #[error(transparent)]
    Invalid(#[from] SkillValidationError),
    #[error(transparent)]
    Digest(#[from] SkillIntegrityError),
}

impl Refused {
    pub(super) fn unreadable(uri: &str, reason: &str) -> Self {
        let (uri, reason) = (uri.to_owned(), reason.to_owned());
        Self::Unreadable { uri, reason }
    }
}

/// A file of a skill, at a path below the folder of the download.
#[derive(Clone)]
pub(super) struct SkillFile {
    pub(super) path: PathBuf,
    pub(super) resource: SkillResource,
}

/// Returns the files of a skill.
pub(super) fn files(skill: &Skill) -> Result<Vec<SkillFile>, Refused> {
    skill.validate()?;
    let SkillResources::Files(resources) = &skill.resources else {
        return Err(Refused::Dynamic);
    };
    let size = resources
        .iter()
        .try_fold(0_u64, |size, file| size.checked_add(file.size));
    if resources.len() > MAX_SKILL_FILES || size.is_none_or(|size| size > MAX_SKILL_BYTES as u64) {
        return Err(Refused::TooLarge);
    }
    let root = skill.uri.strip_suffix(SKILL_MD).unwrap_or_default();
    let file = |resource: &SkillResource| -> Result<SkillFile, Refused> {
        let path = path(root, resource)?;
        Ok(SkillFile {
            path: Path::new(skill.name()).join(path),
            resource: resource.clone(),
        })
    };
    let files = resources.iter().map(file);
    let mut files = files.collect::<Result<Vec<SkillFile>, Refused>>()?;
    if has_conflict(&files) {
        return Err(Refused::Paths);
    }
    // the document comes first, because no other file of a forged one is read
    files.sort_by_key(|file| file.resource.uri != skill.uri);
    Ok(files)
}

/// Returns the path of a file below the folder of its skill.
fn path(root: &str, resource: &SkillResource) -> Result<PathBuf, Refused> {
    let refused = |problem| Refused::Path {
        uri: resource.uri.clone(),
        problem,
    };
    let path = resource.uri.strip_prefix(root).unwrap_or_default();
    let path = percent_decode_str(path).decode_utf8_lossy();
    if path == SKILL_MD {
        return Ok(PathBuf::from(SKILL_MD));
    }
    let parts = file_path(&path, SKILL_MD, DocumentLimits::DEFAULT.resource_depth);
    let parts = parts.map_err(refused)?;
    if parts.iter().any(|part| part.len() > MAX_NAME_BYTES) {
        return Err(Refused::LongName(resource.uri.clone()));
    }
    Ok(parts.into_iter().collect())
}

/// Returns whether two files cannot be in one folder. Some file systems ignore case and the form of letters.
fn has_conflict(files: &[SkillFile]) -> bool {
    let folded = |file: &SkillFile| -> Vec<String> {
        let parts = file.path.iter();
        parts
            .map(|part| folded_id(&part.to_string_lossy()))
            .collect()
    };
    let mut paths: Vec<Vec<String>> = files.iter().map(folded).collect();
    // a folder comes right before the first path in it
    paths.sort_unstable();
    paths.windows(2).any(|two| two[1].starts_with(&two[0]))
}
