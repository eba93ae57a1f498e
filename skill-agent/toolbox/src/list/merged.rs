//! Merges the lists of all sources.

use crate::list::{ListedTool, ToolList, Withheld, are_equal};
use crate::rules;
use crate::rules::Rules;
use skill_agent_schema::shorten_name;
use skill_core::Hints;
use skill_core::policy::DataFlow;
use std::collections::HashMap;
use std::sync::Arc;

/// A source's last list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub(crate) tools: Vec<Arc<ListedTool>>,
    /// Why the source's tools are withheld, if they are. In that case, `tools` contains the previous tools.
    pub(crate) failure: Option<String>,
}

/// The merged lists of all sources, indexed by name.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) list: Arc<ToolList>,
    by_name: HashMap<String, Place>,
    pub(crate) clashes: Vec<Clash>,
    /// The source of each tool that models cannot call, and the reason.
    not_callable: HashMap<String, (String, String)>,
}

/// A tool's source and its place in the list.
#[derive(Clone, Copy, Debug)]
struct Place {
    source: usize,
    /// The tool's index in the list, or `None` while its source is failing. No other source can take over the name in the
    /// meantime.
    at: Option<usize>,
    /// The hints with which the tool was listed.
    hints: Hints,
}

/// A name that two sources have.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub(crate) tool: String,
    pub(crate) owner: String,
    pub(crate) newcomer: String,
}

impl Merged {
    /// Merges the lists of the sources. A name stays with the source that had it before, or goes to the first source if only new
    /// sources have it. If the tools are unchanged, the generation of `before` stays. A tool that breaks a rule is withheld, and
    /// if several tools complete a data flow, one of the new ones is.
    pub(crate) fn new(rules: &Rules, listings: &[&Listing], before: &Self) -> Self {
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

    /// Returns the tool with the given name, and its source's index.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &Arc<ListedTool>)> {
        let place = self.by_name.get(name)?;
        Some((place.source, &self.list.tools[place.at?]))
    }

    /// Returns why models cannot call a tool. A tool that an agent forbids is not included, because it is unknown to models.
    pub(crate) fn not_callable(&self, name: &str) -> Option<String> {
        let (source, reason) = self.not_callable.get(name)?;
        Some(withheld_text(source, reason))
    }

    /// Returns whether a source's tool was already listed with the same hints, even if the source is failing now.
    fn knows(&self, source: usize, listed: &ListedTool) -> bool {
        let place = self.by_name.get(&listed.tool.name);
        place.is_some_and(|place| place.source == source && place.hints == listed.tool.hints)
    }

    /// Returns the index of a tool's source, even if the source is failing.
    pub(crate) fn source_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|place| place.source)
    }
}

/// Formats the error for a call to a tool that the list of its source withholds.
pub(crate) fn withheld_text(source: &str, reason: &str) -> String {
    format!("it is withheld from `{source}`: {reason}")
}

/// A merge in progress.
struct Merge<'a> {
    rules: &'a Rules,
    before: &'a Merged,
    /// The source that owns each name.
    owners: HashMap<&'a str, usize>,
    /// The data flow through the known tools and the added ones.
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

    /// Records which source owns a tool's name and, for a known tool, its part in the data flow.
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

    /// Keeps the tool names of a failing source.
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

    /// Lists a tool or withholds it.
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
        list.groups = Arc::clone(&self.rules.groups);
        let is_same = are_equal(&list.tools, &before.tools);
        list.generation = before.generation + u64::from(!is_same);
        Merged {
            list: Arc::new(list),
            ..self.merged
        }
    }
}
