//! The sources of a toolbox.

#[cfg(feature = "documents")]
mod catalog;
mod foreign;
mod server;

#[cfg(feature = "documents")]
pub(super) use catalog::CatalogSource;
#[cfg(feature = "documents")]
pub use catalog::IntoCatalog;
pub(super) use foreign::ForeignSource;
pub(super) use server::ServerSource;

use super::list::{Instructions, ListedTool, ToolGroup};
use server::MountedSkills;
use skill_core::spec::AgentSpec;
use std::sync::Arc;
use std::time::Duration;

/// The default of the time limit for a source to list its tools.
const LIST_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A source of a toolbox.
#[derive(Debug)]
pub(super) enum Source {
    Server(ServerSource),
    #[cfg(feature = "documents")]
    Catalog(CatalogSource),
    Foreign(ForeignSource),
}

/// The version of a source's list of tools.
#[derive(Clone, Debug, Default)]
pub(super) enum Version {
    #[default]
    Unknown,
    Mounted(MountedSkills),
    Generation(u64),
}

/// A source's current tools.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) tools: Vec<Arc<ListedTool>>,
    pub(super) version: Version,
}

impl Source {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Server(server) => server.name(),
            #[cfg(feature = "documents")]
            Self::Catalog(_) => CatalogSource::NAME,
            Self::Foreign(foreign) => foreign.name(),
        }
    }

    /// Returns the agent if the source is a server.
    pub(super) fn agent(&self) -> Option<&'static AgentSpec> {
        match self {
            Self::Server(server) => Some(server.server.spec()),
            _ => None,
        }
    }

    pub(super) fn is_catalog(&self) -> bool {
        !matches!(self, Self::Server(_) | Self::Foreign(_))
    }

    /// Returns the tools that are known without asking the source.
    pub(super) fn at_first(&self) -> Listed {
        match self {
            Self::Server(server) => server.listed(Vec::new()),
            #[cfg(feature = "documents")]
            Self::Catalog(catalog) => catalog.listed(),
            Self::Foreign(_) => Listed::default(),
        }
    }

    /// Returns whether the list has changed since a generation, without waiting, so the result may be outdated.
    pub(super) fn has_changed_since(&self, known: u64) -> bool {
        match self {
            Self::Server(_) => false,
            #[cfg(feature = "documents")]
            Self::Catalog(catalog) => catalog.generation() != known,
            Self::Foreign(foreign) => foreign.has_changed_since(known),
        }
    }

    /// Returns the time limit for a list.
    pub(super) fn list_time_limit(&self) -> Duration {
        match self {
            Self::Foreign(foreign) => foreign.list_time_limit().unwrap_or(LIST_TIME_LIMIT),
            _ => LIST_TIME_LIMIT,
        }
    }

    /// Returns the current tools, or `None` if they are still the same as in the version `known`.
    ///
    /// # Errors
    /// Returns an error if the source does not respond.
    pub(super) async fn list(&self, known: &Version) -> Result<Option<Listed>, String> {
        match self {
            Self::Server(server) => server.list(known).await,
            #[cfg(feature = "documents")]
            Self::Catalog(catalog) => Ok(catalog.list(known)),
            Self::Foreign(foreign) => foreign.list(known).await,
        }
    }

    /// Returns the groups of tools that the model of a chat loads on demand.
    pub(super) fn groups(&self) -> Vec<ToolGroup> {
        match self {
            Self::Server(server) => server.groups(),
            Self::Foreign(foreign) => foreign.group().into_iter().collect(),
            #[cfg(feature = "documents")]
            Self::Catalog(_) => Vec::new(),
        }
    }

    /// Makes all tools of the source one group. Returns `false` for a catalog, whose documents are loaded on demand anyway.
    pub(super) fn defer(&mut self, description: String) -> bool {
        match self {
            Self::Server(server) => server.defer(description),
            Self::Foreign(foreign) => foreign.defer(description),
            #[cfg(feature = "documents")]
            Self::Catalog(_) => return false,
        }
        true
    }

    /// Returns the instructions of the skills that belong to a version.
    pub(super) fn instructions(&self, version: &Version) -> Vec<Instructions> {
        match self {
            Self::Server(server) => server.instructions(version),
            _ => Vec::new(),
        }
    }
}
