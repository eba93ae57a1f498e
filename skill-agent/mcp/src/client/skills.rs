//! Downloads the skills of an MCP server, by the Skills extension (SEP-2640).

use super::connection::Service;
use super::{ConnectError, McpClient};
use crate::sent::Sent;
use crate::skill::{MAX_SKILL_BYTES, MAX_SKILL_FILES, frontmatter};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use rmcp::model::{
    ClientRequest, PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams,
    ResourceContents, SKILL_MD, ServerResult, Skill, SkillIntegrityError, SkillResource,
    SkillResources, SkillValidationError,
};
use rmcp::service::ServiceError;
use skill_agent_documents::__private::file_path;
use skill_agent_documents::{DocText, DocumentLimits, PathProblem, Source};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The time limit for one request.
const REQUEST_TIME: Duration = Duration::from_secs(60);
/// The maximum number of skills of a server.
const MAX_SKILLS: usize = 1_000;
/// The file that marks a folder as a download, which the next download may replace.
const MARK: &str = ".downloaded-skills";

/// A skill that an MCP server lists. None of its files has been read.
#[derive(Clone, Debug)]
pub struct RemoteSkill(Skill);

impl RemoteSkill {
    /// Returns the name of the skill.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the description of the skill, as its author wrote it.
    pub fn description(&self) -> &str {
        &self.0.frontmatter.description
    }
}

impl McpClient {
    /// Lists the skills of the server, and reads none of their files.
    ///
    /// # Errors
    /// Returns an error if the server has no skills or fails, or if it has more than 1,000.
    pub async fn skills(&self) -> Result<Vec<RemoteSkill>, SkillsError> {
        let service = self.service().await?;
        let skills = list(&service).await?;
        Ok(skills.into_iter().map(RemoteSkill).collect())
    }

    /// Downloads skills of the server into a folder, and returns the source for a [`Catalog`](skill_agent_documents::Catalog).
    ///
    /// Each file is compared with its digest, and each document with the frontmatter that the server has listed. A skill without
    /// digests, or with a difference, is left out with a warning in the log. The source is [discovered](Source::discovered): its
    /// documents are offered after a person has trusted them.
    ///
    /// Each download replaces the folder in one step, and fetches only files that have changed. The folder must not exist before the
    /// first one, or be empty.
    ///
    /// ```no_run
    /// # use skill_agent::manifest::{Catalog, Dialect};
    /// # use skill_agent::mcp::McpClient;
    /// # async fn load() -> Result<(), Box<dyn std::error::Error>> {
    /// let office = McpClient::http("https://office.example.com/mcp").await?;
    /// let mut skills = office.skills().await?;
    /// skills.retain(|skill| skill.name() == "review"); // those that a person has chosen
    /// let source = office.download_skills(skills, "cache/office").await?;
    /// let mut catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(source).load();
    /// // show `catalog.listed()` to a person, and call `catalog.trust` for what the person trusts
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the server fails, if the skills have more than 256 MiB, or if the folder cannot be written. The folder then
    /// stays as it was.
    pub async fn download_skills(
        &self,
        skills: impl IntoIterator<Item = RemoteSkill>,
        folder: impl Into<PathBuf>,
    ) -> Result<Source, SkillsError> {
        let folder = folder.into();
        let skills: Vec<RemoteSkill> = skills.into_iter().collect();
        let service = self.service().await?;
        let mut download = Download::begin(folder.clone()).await?;
        let mut names = BTreeSet::new();
        for RemoteSkill(skill) in skills {
            let name = skill.name().to_owned();
            let added = if names.contains(&name) {
                Err(Refused::Twice)
            } else {
                download.add(&service, skill).await?
            };
            match added {
                Ok(()) => drop(names.insert(name)),
                Err(reason) => {
                    tracing::warn!(skill = %name, %reason, "a skill of an MCP server is left out");
                }
            }
        }
        download.finish().await?;
        let name = folder.file_name().unwrap_or_default();
        let name = DocText::from(name.to_string_lossy().into_owned());
        Ok(Source::named(name, folder).discovered())
    }
}

async fn list(service: &Service) -> Result<Vec<Skill>, SkillsError> {
    let peer = service.peer();
    let server = peer.peer_info();
    if !server.is_some_and(|server| server.capabilities.supports_skills()) {
        return Err(SkillsError::NoSkills);
    }
    let (mut skills, mut cursor) = (Vec::new(), None);
    loop {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let page = limited(peer.list_skills(Some(page))).await?;
        // an empty page would let a server go on without end
        let is_last = page.next_cursor.is_none() || page.skills.is_empty();
        skills.extend(page.skills);
        if skills.len() > MAX_SKILLS {
            return Err(SkillsError::TooMany);
        }
        if is_last {
            return Ok(skills);
        }
        cursor = page.next_cursor;
    }
}

async fn limited<T>(
    request: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, SkillsError> {
    let response = timeout(REQUEST_TIME, request).await;
    let response = response.unwrap_or(Err(ServiceError::Timeout {
        timeout: REQUEST_TIME,
    }));
    response.map_err(|error| SkillsError::Server(error.to_string()))
}

/// Why a skill is left out.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("another skill of the server has its name")]
    Twice,
    #[error("the server gives no digests of its files")]
    Dynamic,
    #[error("it has more than {MAX_SKILL_FILES} files, or more than {MAX_SKILL_BYTES} bytes")]
    TooLarge,
    #[error("`{uri}` is no file of it: {problem}")]
    Path { uri: String, problem: PathProblem },
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

/// A file of a skill, at a path below the folder of the download.
struct SkillFile {
    path: PathBuf,
    resource: SkillResource,
}

/// Returns the files of a skill.
fn files(skill: &Skill) -> Result<Vec<SkillFile>, Refused> {
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
    Ok(parts.map_err(refused)?.into_iter().collect())
}

/// A download into a new folder, which then replaces the old one.
struct Download {
    folder: PathBuf,
    new: TempDir,
    /// The bytes that may still be written.
    left: u64,
}

impl Download {
    async fn begin(folder: PathBuf) -> Result<Self, SkillsError> {
        blocking(move || {
            let is_free = match fs::read_dir(&folder) {
                Ok(mut items) => items.next().is_none() || folder.join(MARK).exists(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => true,
                Err(error) => return Err(SkillsError::io(&folder, error)),
            };
            if !is_free {
                return Err(SkillsError::NotEmpty { folder });
            }
            let new = temporary(&folder).map_err(|error| SkillsError::io(&folder, error))?;
            let mark = new.path().join(MARK);
            fs::write(mark, "").map_err(|error| SkillsError::io(&folder, error))?;
            let left = DocumentLimits::DEFAULT.all_resources as u64;
            Ok(Self { folder, new, left })
        })
        .await
    }

    /// Adds a skill, or returns why it is left out.
    async fn add(
        &mut self,
        service: &Service,
        skill: Skill,
    ) -> Result<Result<(), Refused>, SkillsError> {
        let files = match files(&skill) {
            Ok(files) => files,
            Err(reason) => return Ok(Err(reason)),
        };
        let size = files.iter().map(|file| file.resource.size).sum();
        self.left = self.left.checked_sub(size).ok_or(SkillsError::TooMany)?;
        let mut contents = Vec::with_capacity(files.len());
        for file in files {
            let known = self.folder.join(&file.path);
            let resource = file.resource.clone();
            let known = blocking(move || Ok(fs::read(known).ok()));
            let known = known.await?.filter(|bytes| resource.verify(bytes).is_ok());
            let bytes = match known {
                Some(bytes) => Ok(bytes),
                None => fetched(service, &file.resource).await?,
            };
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(reason) => return Ok(Err(reason)),
            };
            let is_document = file.resource.uri == skill.uri;
            if is_document && frontmatter(&bytes).as_ref() != Some(&skill.frontmatter) {
                return Ok(Err(Refused::Frontmatter));
            }
            contents.push((file.path, bytes));
        }
        let (folder, new) = (self.folder.clone(), self.new.path().to_owned());
        let write = move || write(&new, contents).map_err(|error| SkillsError::io(&folder, error));
        blocking(write).await.map(Ok)
    }

    /// Puts the new folder in the old one's place.
    async fn finish(self) -> Result<(), SkillsError> {
        blocking(move || {
            let Self { folder, new, .. } = self;
            replace(&folder, new).map_err(|error| SkillsError::io(&folder, error))
        })
        .await
    }
}

/// Reads a file at the server, and compares it with its digest.
async fn fetched(
    service: &Service,
    resource: &SkillResource,
) -> Result<Result<Vec<u8>, Refused>, SkillsError> {
    let uri = &resource.uri;
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    // not by rmcp's client, which would keep the file in memory
    let response = async {
        let request = ClientRequest::ReadResourceRequest(request);
        Sent::new(service.peer(), request).await?.await
    };
    let response = match timeout(REQUEST_TIME, response).await {
        Ok(Err(ServiceError::McpError(error))) => {
            let reason = error.message.into_owned();
            let uri = uri.clone();
            return Ok(Err(Refused::Unreadable { uri, reason }));
        }
        Ok(response) => response,
        Err(_) => Err(ServiceError::Timeout {
            timeout: REQUEST_TIME,
        }),
    };
    let response = response.map_err(|error| SkillsError::Server(error.to_string()))?;
    let contents = match response {
        ServerResult::ReadResourceResult(result) => result.contents,
        _ => Vec::new(),
    };
    let bytes = match <[_; 1]>::try_from(contents) {
        Ok([ResourceContents::TextResourceContents { text, .. }]) => Some(text.into_bytes()),
        Ok([ResourceContents::BlobResourceContents { blob, .. }]) => STANDARD.decode(blob).ok(),
        _ => None,
    };
    let Some(bytes) = bytes else {
        return Ok(Err(Refused::Contents(uri.clone())));
    };
    Ok(match resource.verify(&bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(error.into()),
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SkillsError> + Send + 'static,
) -> Result<T, SkillsError> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(SkillsError::Server(error.to_string())))
}

/// Creates a folder beside another one, so that it can be renamed to it.
fn temporary(folder: &Path) -> io::Result<TempDir> {
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    tempfile::Builder::new()
        .prefix(".skills-")
        .tempdir_in(parent)
}

fn write(folder: &Path, files: Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for (path, bytes) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

fn replace(folder: &Path, new: TempDir) -> io::Result<()> {
    // dropped with its contents
    let old = temporary(folder)?;
    match fs::rename(folder, old.path().join("old")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::rename(new.path(), folder)
}

/// The error of [`McpClient::download_skills`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillsError {
    /// The connection cannot be opened again.
    #[error(transparent)]
    Connection(#[from] ConnectError),
    /// The server does not have the extension.
    #[error("the MCP server has no skills: it does not declare `io.modelcontextprotocol/skills`")]
    NoSkills,
    /// The server failed.
    #[error("the skills of the MCP server cannot be read: {0}")]
    Server(String),
    /// The server has too many skills, or too many bytes.
    #[error("the MCP server has more than {MAX_SKILLS} skills, or more than 256 MiB of them")]
    TooMany,
    /// The folder has files that are no download.
    #[error("`{}` has other files than downloaded skills; name an empty folder, or one that does not exist", .folder.display())]
    #[non_exhaustive]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be written.
    #[error("the skills cannot be written to `{}`: {source}", .folder.display())]
    #[non_exhaustive]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl SkillsError {
    fn io(folder: &Path, source: io::Error) -> Self {
        let folder = folder.to_owned();
        Self::Folder { folder, source }
    }
}
