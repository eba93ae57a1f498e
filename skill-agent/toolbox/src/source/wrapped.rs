//! Sources whose tools have other names, or fewer of them.

use super::{SourceCall, SourceDecision, SourceError, SourceTool, ToolSource};
use crate::output::ToolOutput;
use skill_agent_server::BoxFuture;
use skill_core::__private::nearest;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

/// A source with a change to its tools. Created by [`ToolSource::prefix`], [`rename`](ToolSource::rename),
/// [`only`](ToolSource::only) and [`ask_for`](ToolSource::ask_for).
#[derive(Debug)]
pub struct WrappedSource<S> {
    source: S,
    change: Change,
}

#[derive(Debug)]
pub(super) enum Change {
    Prefix(String),
    /// Pairs of a name within the source and the new name.
    Rename(Vec<(String, String)>),
    Only(BTreeSet<String>),
    AskFor(BTreeSet<String>),
}

impl<S: ToolSource> WrappedSource<S> {
    pub(super) fn new(source: S, change: Change) -> Self {
        Self { source, change }
    }

    /// Returns the name of a tool within the source, or `None` if no tool has the name now.
    fn inner<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        match &self.change {
            Change::Prefix(prefix) => name.strip_prefix(prefix.as_str()),
            Change::Rename(names) => match names.iter().find(|(_, new)| new == name) {
                Some((inner, _)) => Some(inner),
                None => (!names.iter().any(|(renamed, _)| renamed == name)).then_some(name),
            },
            Change::Only(names) => names.contains(name).then_some(name),
            Change::AskFor(_) => Some(name),
        }
    }

    /// Returns the new name of a tool, or `None` if it is left out.
    fn outer<'n>(&'n self, name: &'n str) -> Option<Cow<'n, str>> {
        match &self.change {
            Change::Prefix(prefix) => Some(format!("{prefix}{name}").into()),
            Change::Rename(names) => {
                let renamed = names.iter().find(|(inner, _)| inner == name);
                Some(renamed.map_or(name, |(_, new)| new).into())
            }
            Change::Only(names) => names.contains(name).then_some(name.into()),
            Change::AskFor(_) => Some(name.into()),
        }
    }

    /// Returns the names that the program wrote, which the source should have.
    fn written(&self) -> Vec<&str> {
        match &self.change {
            Change::Prefix(_) => Vec::new(),
            Change::Rename(names) => names.iter().map(|(name, _)| name.as_str()).collect(),
            Change::Only(names) | Change::AskFor(names) => {
                names.iter().map(String::as_str).collect()
            }
        }
    }

    /// Returns a name that two pairs give, or that two pairs change.
    fn renamed_twice(&self) -> Option<&str> {
        let Change::Rename(names) = &self.change else {
            return None;
        };
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        names
            .iter()
            .find_map(|(name, renamed)| {
                let twice = (!old.insert(name)).then_some(name);
                twice.or_else(|| (!new.insert(renamed)).then_some(renamed))
            })
            .map(String::as_str)
    }

    async fn listed(&self) -> Result<Vec<SourceTool>, SourceError> {
        if let Some(name) = self.renamed_twice() {
            let message = format!("`rename` has `{name}` twice");
            return Err(SourceError::unavailable(message));
        }
        let mut tools = self.source.list().await?;
        let known: BTreeSet<&str> = tools.iter().map(|tool| &*tool.tool.name).collect();
        let missing = self
            .written()
            .into_iter()
            .find(|name| !known.contains(name));
        if let Some(missing) = missing {
            let hint = nearest(missing, known.iter().copied());
            let hint = hint.map(|name| format!("; did you mean `{name}`?"));
            let message = format!(
                "the source has no tool `{missing}`{}",
                hint.unwrap_or_default()
            );
            // a call that the program wants to ask for must not run because of a misspelled name
            return Err(SourceError::unavailable(message));
        }
        tools.retain_mut(|tool| {
            let Some(name) = self.outer(&tool.tool.name) else {
                return false;
            };
            if let Change::AskFor(names) = &self.change {
                tool.asks |= names.contains(&*name);
            }
            tool.tool.name = name.into_owned();
            true
        });
        let mut names = BTreeSet::new();
        // a call could reach another tool than the one whose schema was listed
        match tools.iter().find(|tool| !names.insert(&tool.tool.name)) {
            Some(twice) => {
                let message = format!(
                    "two tools of the source have the name `{}`",
                    twice.tool.name
                );
                Err(SourceError::unavailable(message))
            }
            None => Ok(tools),
        }
    }
}

fn no_tool(name: &str) -> SourceError {
    SourceError::unavailable(format!("the source has no tool `{name}`"))
}

impl<S: ToolSource> ToolSource for WrappedSource<S> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        Box::pin(self.listed())
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        match self.inner(call.name) {
            Some(name) => self.source.call(SourceCall { name, ..call }),
            None => Box::pin(async move { Err(no_tool(call.name)) }),
        }
    }

    fn decide<'a>(
        &'a self,
        decision: SourceDecision<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        match self.inner(decision.name) {
            Some(name) => self.source.decide(SourceDecision { name, ..decision }),
            None => Box::pin(async move { Err(no_tool(decision.name)) }),
        }
    }

    fn time_limit(&self) -> Option<Duration> {
        self.source.time_limit()
    }

    fn list_time_limit(&self) -> Option<Duration> {
        self.source.list_time_limit()
    }

    fn generation(&self) -> Option<u64> {
        self.source.generation()
    }
}
