//! The lists of all sources as one.

use super::list::{ListedTool, ToolList, Withheld, are_equal};
use super::rules::{self, Rules};
use skill_agent_schema::shorten_name;
use skill_core::Hints;
use skill_core::policy::DataFlow;
use std::collections::HashMap;
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
    /// The source of each tool that no model can call, and why.
    not_callable: HashMap<String, (String, String)>,
}

/// The source of a tool, and its place in the list.
#[derive(Clone, Copy, Debug)]
struct Place {
    source: usize,
    /// `None` while the source fails. No other source takes the name meanwhile.
    at: Option<usize>,
    /// The hints with which the tool was listed.
    hints: Hints,
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
    /// first one gets it. Equal tools keep the generation of `before`. A tool that breaks a rule is withheld; of those
    /// that complete a data flow, this is one that is new.
    pub(super) fn new(rules: &Rules, listings: &[&Listing], before: &Self) -> Self {
        let mut merge = Merge::new(rules, listings, before);
        for (source, listing) in listings.iter().enumerate() {
            if let Some(reason) = &listing.failure {
                merge.withhold(source, None, reason.clone());
                merge.keep_names(source, listing);
            } else {
                for listed in &listing.tools {
                    merge.add(source, listed);
                }
            }
        }
        merge.end()
    }

    /// The tool with a name, and the index of its source.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &Arc<ListedTool>)> {
        let place = self.by_name.get(name)?;
        Some((place.source, &self.list.tools[place.at?]))
    }

    /// Why no model can call a tool, if none can. What an agent forbids is unknown to a model.
    pub(super) fn not_callable(&self, name: &str) -> Option<String> {
        let (source, reason) = self.not_callable.get(name)?;
        Some(format!("it is withheld from `{source}`: {reason}"))
    }

    /// Whether a tool of a source was listed with the same hints. Its source may be failing now.
    fn knows(&self, source: usize, listed: &ListedTool) -> bool {
        let place = self.by_name.get(&listed.tool.name);
        place.is_some_and(|place| place.source == source && place.hints == listed.tool.hints)
    }

    /// The index of the source of a tool, which may be failing.
    pub(super) fn source_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|place| place.source)
    }
}

/// A merge that goes on.
struct Merge<'a> {
    rules: &'a Rules,
    before: &'a Merged,
    /// The source of each name.
    owners: HashMap<&'a str, usize>,
    /// The data flow of the known and the added tools.
    flow: DataFlow<'a>,
    list: ToolList,
    merged: Merged,
}

impl<'a> Merge<'a> {
    fn new(rules: &'a Rules, listings: &[&'a Listing], before: &'a Merged) -> Self {
        let mut merge = Self {
            rules,
            before,
            owners: HashMap::new(),
            flow: DataFlow::new(),
            list: ToolList::default(),
            merged: Merged::default(),
        };
        for (source, listing) in listings.iter().enumerate() {
            for listed in &listing.tools {
                merge.prepare(source, listed);
            }
        }
        merge
    }

    /// Notes the owner of the name of a tool, and what a known tool adds to the data flow.
    fn prepare(&mut self, source: usize, listed: &'a ListedTool) {
        let name = listed.tool.name.as_str();
        let is_withheld = self.rules.reserved_for(source, name).is_some()
            || self.rules.refusal(source, listed).is_some();
        if is_withheld {
            return;
        }
        if self.before.source_of(name) == Some(source) {
            self.owners.insert(name, source);
        } else {
            self.owners.entry(name).or_insert(source);
        }
        if self.before.knows(source, listed) {
            rules::add(&mut self.flow, listed);
        }
    }

    fn withhold(&mut self, source: usize, tool: Option<&str>, reason: String) {
        self.list.withheld.push(Withheld {
            source: self.rules.names[source].clone(),
            tool: tool.map(|tool| shorten_name(tool).into_owned()),
            reason,
        });
    }

    /// Keeps the names of the tools of a source that fails.
    fn keep_names(&mut self, source: usize, listing: &Listing) {
        for listed in &listing.tools {
            let name = listed.tool.name.as_str();
            if self.before.source_of(name) == Some(source) {
                self.place(source, listed, None);
            }
        }
    }

    fn place(&mut self, source: usize, listed: &ListedTool, at: Option<usize>) {
        let hints = listed.tool.hints;
        let place = Place { source, at, hints };
        self.merged.by_name.insert(listed.tool.name.clone(), place);
    }

    /// Lists a tool, or withholds it.
    fn add(&mut self, source: usize, listed: &'a Arc<ListedTool>) {
        let name = listed.tool.name.as_str();
        if let Some(reason) = rules::not_callable(listed) {
            let why = (self.rules.names[source].clone(), reason);
            self.merged.not_callable.insert(name.to_owned(), why);
        }
        if let Some(reason) = self.rules.refusal(source, listed) {
            return self.withhold(source, Some(name), reason);
        }
        if let Some(owner) = self.rules.reserved_for(source, name) {
            self.withhold(
                source,
                Some(name),
                format!("the name is reserved for `{owner}`"),
            );
            return self.clash(source, name, owner);
        }
        let owner = self.owners.get(name).copied().unwrap_or(source);
        if owner != source || self.merged.by_name.contains_key(name) {
            let owner = &self.rules.names[owner];
            self.withhold(
                source,
                Some(name),
                format!("`{owner}` has a tool with this name"),
            );
            return self.clash(source, name, owner);
        }
        if self.rules.judges_data_flow() && !self.before.knows(source, listed) {
            let mut with = self.flow;
            rules::add(&mut with, listed);
            if with.is_complete() {
                return self.withhold(source, Some(name), rules::data_flow_text(&with));
            }
            self.flow = with;
        }
        self.place(source, listed, Some(self.list.tools.len()));
        self.list.tools.push(Arc::clone(listed));
    }

    fn clash(&mut self, source: usize, name: &str, owner: &str) {
        self.merged.clashes.push(Clash {
            tool: name.to_owned(),
            owner: owner.to_owned(),
            newcomer: self.rules.names[source].clone(),
        });
    }

    fn end(self) -> Merged {
        let (mut list, before) = (self.list, &self.before.list);
        let is_same = are_equal(&list.tools, &before.tools);
        list.generation = before.generation + u64::from(!is_same);
        Merged {
            list: Arc::new(list),
            ..self.merged
        }
    }
}
