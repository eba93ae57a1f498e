//! Downloads the skills of an MCP server, by the Skills extension (SEP-2640).

mod download;
mod files;
mod requests;

use self::download::{Download, MAX_BYTES};
use self::files::Refused;
use super::{ConnectError, McpClient};
use crate::text::cleaned;
use rmcp::model::Skill;
use skill_agent_documents::__private::{breaks_line, folded_id};
use skill_agent_documents::{DocText, Source};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A skill that an MCP server lists. None of its files has been read.
#[derive(Clone, Debug)]
pub struct RemoteSkill {
    skill: Skill,
    name: String,
    description: String,
}

impl RemoteSkill {
    fn new(skill: Skill) -> Self {
        Self {
            name: shown(skill.name()),
            description: cleaned(&skill.frontmatter.description),
            skill,
        }
    }

    /// Returns the name of the skill, for a person who chooses. See [`description`](Self::description).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description of the skill, for a person who chooses. Characters that control a terminal or hide text are removed,
    /// and a long text is cut.
    pub fn description(&self) -> &str {
        &self.description
    }
}

/// Returns a text of the server as one line.
fn shown(text: &str) -> String {
    cleaned(text).replace(breaks_line, " ")
}

impl McpClient {
    /// Lists the skills of the server, and reads none of their files.
    ///
    /// # Errors
    /// Returns an error if the server has no skills or fails, if it has more than 1,000, or if their list has more
    /// than 16 MiB or takes more than 10 minutes.
    pub async fn skills(&self) -> Result<Vec<RemoteSkill>, SkillsError> {
        let skills = self.listed_skills().await?;
        Ok(skills.into_iter().map(RemoteSkill::new).collect())
    }

    /// Downloads skills of the server into a folder, and returns the source for a [`Catalog`](skill_agent_documents::Catalog).
    ///
    /// Each file is compared with its digest, and each document with the frontmatter that the server has listed. A skill without
    /// digests, with a difference, or with a file that the server does not have, is left out with a warning in the log. The source
    /// is [discovered](Source::discovered): its documents are offered after a person has trusted them.
    ///
    /// Each download replaces the folder, and fetches only files that have changed. The folder must not exist before the first one,
    /// or be empty. For a moment, there is no folder. A crash at that moment leaves the old one as `old` in a folder
    /// `.skills-…` beside it.
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
    /// Returns an error if the server fails, if the skills have more than 256 MiB, or if the folder cannot be written or is a
    /// symbolic link. The folder then stays as it was. If it cannot be put back, the error says where it is.
    pub async fn download_skills(
        &self,
        skills: impl IntoIterator<Item = RemoteSkill>,
        folder: impl Into<PathBuf>,
    ) -> Result<Source, SkillsError> {
        let skills: Vec<RemoteSkill> = skills.into_iter().collect();
        let service = self.service().await?;
        let mut download = Download::begin(folder.into()).await?;
        let folder = download.folder.clone();
        let mut names = BTreeSet::new();
        for RemoteSkill { skill, name, .. } in skills {
            // as file systems that ignore case see it
            let folder = folded_id(skill.name());
            let added = if names.contains(&folder) {
                Err(Refused::Twice)
            } else {
                download.add(self, &service, skill).await?
            };
            match added {
                Ok(()) => drop(names.insert(folder)),
                Err(reason) => {
                    let reason = shown(&reason.to_string());
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

/// The error of [`McpClient::skills`] and [`McpClient::download_skills`].
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
    /// The chosen skills are too large.
    #[error("the chosen skills have more than {} MiB of files; choose fewer", MAX_BYTES >> 20)]
    TooLarge,
    /// The folder has files that are no download.
    #[error("`{}` has other files than downloaded skills; name an empty folder, or one that does not exist", .folder.display())]
    #[non_exhaustive]
    NotEmpty {
        /// The folder with the other files.
        folder: PathBuf,
    },
    /// The folder cannot be written.
    #[error("the skills cannot be written to `{}`: {source}", .folder.display())]
    #[non_exhaustive]
    Folder {
        /// The folder for the skills.
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
