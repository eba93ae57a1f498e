//! The lists of all sources as one.

use super::list::{ListedTool, ToolList, Withheld, are_equal};
use super::reserved::{READ_RESULT, TOOLBOX};
use super::rules::{self, Rules};
use serde_json::Value;
use skill_core::policy::DataFlow;
use skill_core::process::{is_tool_name, shorten_name};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The last list of a source.
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
    by_name: HashMap<String, Place>,
    pub(super) clashes: Vec<Clash>,
}

/// The source of a tool, and its place in the list.
#[derive(Clone, Copy, Debug)]
struct Place {
    source: usize,
    /// `None` while the source fails. No other source takes the name meanwhile.
    at: Option<usize>,
}

/// A name that two sources claim.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub(super) tool: String,
    pub(super) owner: String,
    pub(super) newcomer: String,
}

impl Merged {
    /// Merges the lists of the sources. A name stays with the source that had it before; of several new sources, the
    /// first one gets it. The generation is that of `before` if the tools are equal. A tool that breaks a rule is withheld; of those
    /// that complete a data flow, this is one that is new.
    pub(super) fn new(rules: &Rules, listings: &[&Listing], before: &Self) -> Self {
        let names = &rules.names;
        let owners = owners(listings, before);
        let mut flow = DataFlow::new();
        let judges_data_flow = rules.judges_data_flow();
        if judges_data_flow {
            let known = listings.iter().enumerate();
            let known = known.flat_map(|(source, listing)| {
                let tools = listing.tools.iter();
                tools.filter(move |listed| before.knows(source, listed))
            });
            known.for_each(|listed| rules::add(&mut flow, listed));
        }
        let mut list = ToolList::default();
        let mut merged = Self::default();
        for (source, listing) in listings.iter().enumerate() {
            let mut withhold = |tool: Option<&str>, reason: String| {
                list.withheld.push(Withheld {
                    source: names[source].clone(),
                    tool: tool.map(|tool| shorten_name(tool).into_owned()),
                    reason,
                });
            };
            if let Some(reason) = &listing.failure {
                withhold(None, reason.clone());
            }
            let is_failing = listing.failure.is_some();
            for listed in &listing.tools {
                let name = listed.tool.name.as_str();
                if is_failing {
                    if owners.get(name) == Some(&source) {
                        let place = Place { source, at: None };
                        merged.by_name.insert(name.to_owned(), place);
                    }
                    continue;
                }
                let refusal = refusal(listed).or_else(|| rules.refusal(source, listed));
                if let Some(reason) = refusal {
                    withhold(Some(name), reason);
                    continue;
                }
                let owner = owners.get(name).copied().unwrap_or(source);
                if owner != source || merged.by_name.contains_key(name) || name == READ_RESULT {
                    let owner = match name {
                        READ_RESULT => TOOLBOX,
                        _ => &names[owner],
                    };
                    withhold(Some(name), format!("`{owner}` has a tool with this name"));
                    merged.clashes.push(Clash {
                        tool: name.to_owned(),
                        owner: owner.to_owned(),
                        newcomer: names[source].clone(),
                    });
                    continue;
                }
                if judges_data_flow && !before.knows(source, listed) {
                    let mut with = flow;
                    rules::add(&mut with, listed);
                    if with.is_complete() {
                        withhold(Some(name), rules::data_flow_text(&with));
                        continue;
                    }
                    flow = with;
                }
                let at = Some(list.tools.len());
                merged.by_name.insert(name.to_owned(), Place { source, at });
                list.tools.push(Arc::clone(listed));
            }
        }
        let is_same = are_equal(&list.tools, &before.list.tools);
        list.generation = before.list.generation + u64::from(!is_same);
        merged.list = Arc::new(list);
        merged
    }

    /// The tool with a name, and the index of its source.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &Arc<ListedTool>)> {
        let place = self.by_name.get(name)?;
        Some((place.source, &self.list.tools[place.at?]))
    }

    /// Whether a tool of a source is listed with the same hints.
    fn knows(&self, source: usize, listed: &ListedTool) -> bool {
        self.find(&listed.tool.name)
            .is_some_and(|(owner, known)| owner == source && known.tool.hints == listed.tool.hints)
    }

    /// The index of the source of a tool, which may be failing.
    pub(super) fn source_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|place| place.source)
    }
}

/// The source of each name.
fn owners<'a>(listings: &[&'a Listing], before: &Merged) -> HashMap<&'a str, usize> {
    let mut owners = HashMap::new();
    for (source, listing) in listings.iter().enumerate() {
        for listed in &listing.tools {
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
    owners
}

/// Why no model can call a tool, if none can. One such tool makes a provider refuse the whole list.
fn refusal(listed: &ListedTool) -> Option<String> {
    if !is_tool_name(&listed.tool.name) {
        return Some(
            "a model cannot call this name; it needs 1 to 64 letters, digits, `_` and `-`"
                .to_owned(),
        );
    }
    let kind = listed.tool.input_schema.get("type");
    if kind.and_then(Value::as_str) != Some("object") {
        return Some(
            "its input schema is not that of an object: `\"type\": \"object\"`".to_owned(),
        );
    }
    None
}
