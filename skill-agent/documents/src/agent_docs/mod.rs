//! The agents of a folder: AGENT.md files.

mod error;
mod scan;

pub use error::{AgentDocError, AgentFolderError};

use crate::catalog::events;
use crate::catalog::settings::{SourceKind, folder_kind};
use crate::catalog::walk::above;
use crate::{AgentDoc, Diagnostic, SystemHost};
use scan::FoundAgent;
use skill_core::__private::nearest;
use std::collections::BTreeMap;
use std::path::Path;

/// The agents of a folder. The file of the agent `general` is `general/AGENT.md`.
///
/// A wrong file prevents only its own agent. [`get`](Self::get) returns its errors, and [`diagnostics`](Self::diagnostics) those
/// of all files.
///
/// ```
/// # use skill_agent::manifest::AgentDocs;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temp = tempfile::tempdir()?;
/// # let folder = temp.path();
/// # std::fs::create_dir(folder.join("general"))?;
/// # let text = "---\nname: General Assistant\nprovider: openai\nmodel: gpt-4\n---\n\nYou help.\n";
/// # std::fs::write(folder.join("general/AGENT.md"), text)?;
/// let agents = AgentDocs::load(folder)?;
/// let general = agents.get("general")?;
/// assert_eq!(general.system_prompt, "You help.");
///
/// let error = agents.get("genral").unwrap_err();
/// assert!(error.to_string().ends_with("the only agent is `general`; did you mean `general`?"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct AgentDocs {
    /// The folder's path, for messages.
    folder: String,
    /// The agents by their ids, including those with a wrong file.
    agents: BTreeMap<String, FoundAgent>,
    /// The problems with the folder that belong to no agent.
    diagnostics: Vec<Diagnostic>,
}

impl AgentDocs {
    /// Loads the agents of a folder, once. A path may start with `~/`, which stands for the user's home folder.
    ///
    /// Symbolic links below the folder are not followed, hidden folders are skipped, and a file has at most 1 MiB. Agents whose
    /// ids differ only in case or Unicode form cannot be used. The diagnostics are also emitted as tracing events.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read, or if it is the folder of a single agent.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, AgentFolderError> {
        let path = folder.as_ref();
        let unreadable = |why: String| AgentFolderError::Unreadable {
            path: path.display().to_string(),
            why,
        };
        let SourceKind::Folder(path) = folder_kind(path.to_owned(), &SystemHost) else {
            let why = "there is no home folder on this machine";
            return Err(unreadable(why.to_owned()));
        };
        let scanned = scan::scan(&path).map_err(|why| unreadable(why.to_string()))?;
        let mut diagnostics = scanned.diagnostics;
        if let Some(file) = scanned.is_agent {
            // such as the folder `references` of an agent
            if scanned.agents.values().all(|agent| agent.doc.is_none()) {
                return Err(AgentFolderError::IsAgent {
                    path: path.display().to_string(),
                    above: above(&path),
                });
            }
            diagnostics.push(file);
        }
        let docs = Self {
            folder: path.display().to_string(),
            agents: scanned.agents,
            diagnostics,
        };
        events::emit(docs.diagnostics());
        Ok(docs)
    }

    /// Returns an agent. Its id is the name of its folder.
    ///
    /// # Errors
    ///
    /// Returns all problems if the agent's file is wrong, and the known ids if there is no such agent.
    pub fn get(&self, id: &str) -> Result<&AgentDoc, AgentDocError> {
        match self.agents.get(id) {
            Some(FoundAgent { doc: Some(doc), .. }) => Ok(doc),
            Some(wrong) => Err(AgentDocError::Wrong {
                id: id.to_owned(),
                diagnostics: wrong.diagnostics.clone(),
            }),
            None => {
                let ids = self.agents.keys().map(String::as_str);
                Err(AgentDocError::Unknown {
                    id: id.to_owned(),
                    folder: self.folder.clone(),
                    nearest: nearest(id, ids).map(str::to_owned),
                    known: self.iter().map(|doc| doc.id.to_string()).collect(),
                })
            }
        }
    }

    /// Returns the agents that can be used, sorted by id.
    pub fn iter(&self) -> impl Iterator<Item = &AgentDoc> {
        self.agents.values().filter_map(|agent| agent.doc.as_ref())
    }

    /// Returns the errors and warnings of all files, and of the folder.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let agents = self.agents.values();
        let of_agents = agents.flat_map(|agent| &agent.diagnostics);
        self.diagnostics.iter().chain(of_agents)
    }
}
