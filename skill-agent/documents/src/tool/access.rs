//! Whether a model may call a tool now, according to the active documents.

use crate::audience::is_for_models;
use crate::catalog::{ToolsetIndex, allows, no_allowed_tools};
use crate::escape::{line, name};
use crate::tool::names::CATALOG_TOOLS;
use crate::{Catalog, CatalogEntry, Diagnostic, DocText};
use std::fmt;

/// The maximum number of ids in a message.
const MAX_IDS: usize = 5;

/// Whether a model may call a tool now, according to the documents. A server's guard decides independently, and may deny a tool
/// that is allowed here. The message addresses the model.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolAccess {
    /// No document forbids the tool.
    Allowed,
    /// The tool belongs to a toolset, and no document with that toolset is active.
    #[non_exhaustive]
    ActivateFirst {
        /// The tool's name.
        tool: String,
        /// The ids of the documents that allow the tool once one of them is active. These are the documents that a model may load
        /// or, if there are none, those that a person may invoke.
        documents: Vec<DocText>,
    },
    /// Some active documents do not list the tool in `allowed-tools`, and the catalog [restricts
    /// tools](crate::CatalogBuilder::restrict_tools).
    #[non_exhaustive]
    Restricted {
        /// The tool's name.
        tool: String,
        /// The ids of the documents that do not list the tool.
        by: Vec<DocText>,
    },
}

impl ToolAccess {
    /// Returns whether the tool may be called.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

impl fmt::Display for ToolAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed => f.write_str("the tool can be called"),
            Self::ActivateFirst { tool, documents } => {
                let (tool, ids) = (name(tool), listed(documents));
                let which = if documents.len() == 1 {
                    "the skill"
                } else {
                    "one of the skills"
                };
                write!(
                    f,
                    "the tool `{tool}` cannot be called yet; activate {which} {ids} first"
                )
            }
            Self::Restricted { tool, by } => {
                let (tool, ids) = (name(tool), listed(by));
                let which = if by.len() == 1 {
                    format!("the active skill {ids} allows")
                } else {
                    format!("the active skills {ids} allow")
                };
                write!(
                    f,
                    "the tool `{tool}` cannot be called: {which} only other tools"
                )
            }
        }
    }
}

fn listed(ids: &[DocText]) -> String {
    let shown = ids.iter().take(MAX_IDS);
    let mut shown: Vec<String> = shown
        .map(|id| format!("`{}`", line(id, usize::MAX)))
        .collect();
    if ids.len() > MAX_IDS {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

impl Catalog {
    /// Returns whether a model may call a tool while the documents that satisfy `is_active` are active.
    ///
    /// If offered documents name a skill of the [agent](crate::CatalogBuilder::agent) in `toolsets`, the skill's tools are allowed
    /// once one of these documents is active. If the catalog [restricts tools](crate::CatalogBuilder::restrict_tools), the tool
    /// must also be in the `allowed-tools` of all active documents that have the key. The catalog's own tools, such as `skill`, are
    /// always allowed. No tool has to wait for a document that cannot be activated, such as one in `tool_dispatch` mode.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// use skill_agent::manifest::{Catalog, Dialect, Source, ToolAccess};
    /// use skill_agent::prelude::*;
    ///
    /// /// Adds numbers.
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[skill(name = "calculator", actions(Add))]
    /// pub struct Calculator {}
    ///
    /// /// Add two numbers.
    /// #[action]
    /// pub fn add(_: &Calculator, a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// agent! {
    ///     pub struct MathAgent {
    ///         name: "math",
    ///         skills: [Calculator],
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("sums"))?;
    /// # std::fs::write(
    /// #     path.join("sums/SKILL.md"),
    /// #     "---\nname: sums\ndescription: Sums.\ntoolsets: [\"toolsets/sums:Calculator\"]\n---\n",
    /// # )?;
    /// // sums/SKILL.md: `toolsets: ["toolsets/sums:Calculator"]`
    /// let catalog = Catalog::builder(Dialect::TRIGGERED)
    ///     .source(Source::project(path))
    ///     .agent::<MathAgent>()
    ///     .load();
    /// let access = catalog.tool_access("add", |_| false);
    /// assert_eq!(access.to_string(), "the tool `add` cannot be called yet; activate the skill `sums` first");
    /// assert_eq!(catalog.tool_access("add", |id| id == "sums"), ToolAccess::Allowed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tool_access(&self, tool: &str, is_active: impl Fn(&str) -> bool) -> ToolAccess {
        // the catalog's own tools only load documents and files
        if CATALOG_TOOLS.contains(&tool) {
            return ToolAccess::Allowed;
        }
        // activating more documents does not lift the restriction of an active one
        let by = self.active_and_restricting(&is_active);
        let by: Vec<_> = by.filter(|entry| !allows(entry, tool)).collect();
        if !by.is_empty() {
            return ToolAccess::Restricted {
                tool: tool.to_owned(),
                by: ids(by),
            };
        }
        let owners = self.toolset_index().owners(tool);
        let owners: Vec<_> = owners.map(|at| &self.snapshot.entries[at]).collect();
        if owners.is_empty() || owners.iter().any(|entry| is_active(&entry.id)) {
            return ToolAccess::Allowed;
        }
        let (for_models, others): (Vec<_>, Vec<_>) = owners
            .into_iter()
            .partition(|entry| is_for_models(entry.doc()));
        let documents = if for_models.is_empty() {
            others
        } else {
            for_models
        };
        ToolAccess::ActivateFirst {
            tool: tool.to_owned(),
            documents: ids(documents),
        }
    }

    /// Returns a diagnostic if the catalog [restricts tools](crate::CatalogBuilder::restrict_tools) and no tool is in the
    /// `allowed-tools` of all active documents, so that together they forbid every tool. Call this when a document has been
    /// activated. A document that allows no tool even by itself already has this diagnostic from its load.
    #[must_use]
    pub fn check_active_tools(&self, is_active: impl Fn(&str) -> bool) -> Option<Diagnostic> {
        let active: Vec<_> = self.active_and_restricting(&is_active).collect();
        no_allowed_tools(&active, &self.settings)
    }

    /// Returns the active documents with `allowed-tools`. Empty if the catalog does not restrict tools.
    fn active_and_restricting(
        &self,
        is_active: &impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = &CatalogEntry> {
        let restricting = if self.settings.restrict_tools {
            self.toolset_index().restricting()
        } else {
            &[]
        };
        let entries = restricting.iter().map(|&at| &self.snapshot.entries[at]);
        entries.filter(move |entry| is_active(&entry.id))
    }

    fn toolset_index(&self) -> &ToolsetIndex {
        let toolsets =
            || ToolsetIndex::new(&self.snapshot.entries, self.settings.facts.tools_by_type());
        self.snapshot.toolsets.get_or_init(toolsets)
    }
}

fn ids(entries: Vec<&CatalogEntry>) -> Vec<DocText> {
    entries.into_iter().map(|entry| entry.id.clone()).collect()
}
