//! The lists of all sources as one.

use super::list::{ListedTool, ToolList, Withheld};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// What a source listed last.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    pub(super) tools: Vec<Arc<ListedTool>>,
    /// Why its tools are withheld, if they are. Then `tools` are those before.
    pub(super) failure: Option<String>,
}

/// The lists of all sources as one, with an index by name.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) list: Arc<ToolList>,
    /// The source of each tool, and its place in the list.
    by_name: HashMap<String, Place>,
}

/// A source, and a place in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) source: usize,
    at: usize,
}

impl Merged {
    /// Merges the lists of the sources with these names. A tool that an earlier list has keeps its name; of several new ones, that
    /// of the first source has it. The generation is that of `before` if the lists are equal.
    pub(super) fn new(names: &[String], listings: &[Listing], before: &Self) -> Self {
        let mut owners: HashMap<&str, usize> = HashMap::new();
        for (source, listing) in listings.iter().enumerate() {
            for listed in listing.usable() {
                let name = listed.tool.name.as_str();
                match owners.entry(name) {
                    Entry::Vacant(entry) => {
                        entry.insert(source);
                    }
                    Entry::Occupied(mut entry) => {
                        if before.source_of(name) == Some(source) {
                            entry.insert(source);
                        }
                    }
                }
            }
        }
        let mut list = ToolList::default();
        let mut by_name = HashMap::new();
        for (source, listing) in listings.iter().enumerate() {
            if let Some(reason) = &listing.failure {
                list.withheld.push(Withheld {
                    source: names[source].clone(),
                    tool: None,
                    reason: reason.clone(),
                });
            }
            for listed in listing.usable() {
                let name = &listed.tool.name;
                let owner = owners.get(name.as_str()).copied().unwrap_or(source);
                if owner != source || by_name.contains_key(name) {
                    list.withheld.push(Withheld {
                        source: names[source].clone(),
                        tool: Some(name.clone()),
                        reason: format!("`{}` has a tool with that name", names[owner]),
                    });
                    continue;
                }
                let at = list.tools.len();
                by_name.insert(name.clone(), Place { source, at });
                list.tools.push(Arc::clone(listed));
            }
        }
        list.generation = before.list.generation;
        if list != *before.list {
            list.generation += 1;
        }
        Self {
            list: Arc::new(list),
            by_name,
        }
    }

    /// The tool with a name, and its source.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &Arc<ListedTool>)> {
        let place = self.by_name.get(name)?;
        Some((place.source, &self.list.tools[place.at]))
    }

    fn source_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|place| place.source)
    }
}

impl Listing {
    /// The tools, unless they are withheld.
    fn usable(&self) -> &[Arc<ListedTool>] {
        match self.failure {
            Some(_) => &[],
            None => &self.tools,
        }
    }
}
