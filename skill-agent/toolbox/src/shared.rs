//! The state shared by a toolbox and its sessions.

use super::guarding::Guarding;
use super::join::join_all;
use super::list::{Instructions, Withheld, are_equal};
use super::rules::{self, Rules};
#[cfg(feature = "documents")]
use super::sources::CatalogSource;
use super::sources::{Listed, Source, Version};
use crate::list::merged::{Listing, Merged};
#[cfg(feature = "documents")]
use skill_agent_documents::selection::SelectionPolicy;
use skill_agent_server::BoxFuture;
use skill_core::policy::{DataFlow, ForbiddenActions};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// The default for [`call_time_limit`](Settings::call_time_limit).
const CALL_TIME_LIMIT: Duration = Duration::from_secs(60);

/// How long to wait before a source that does not respond is asked again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The state that a toolbox and its sessions share, which contains nothing about a caller.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) sources: Vec<Source>,
    pub(super) guarding: Guarding,
    pub(super) settings: Settings,
    rules: Rules,
    state: Mutex<State>,
}

/// The builder's settings, except for the sources and the guard.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The time limit for a call to a custom source.
    pub(super) call_time_limit: Duration,
    /// Why every data flow is allowed, or `None` if not every data flow is.
    pub(super) allow_data_flow: Option<String>,
    #[cfg(feature = "documents")]
    pub(super) policy: SelectionPolicy,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            call_time_limit: CALL_TIME_LIMIT,
            allow_data_flow: None,
            #[cfg(feature = "documents")]
            policy: SelectionPolicy::LAZY_TOOL,
        }
    }
}

#[derive(Debug)]
struct State {
    known: Vec<Known>,
    merged: Arc<Merged>,
    /// The number of the refresh that was started last.
    ticket: u64,
}

/// The last known list of a source.
#[derive(Clone, Debug, Default)]
struct Known {
    listing: Listing,
    version: Version,
    /// The number of the refresh that returned this list.
    ticket: u64,
    /// How many times the list of tools has been replaced.
    revision: u64,
    /// The time before which the source is not asked again.
    rests_until: Option<Instant>,
}

impl Shared {
    pub(super) fn new(sources: Vec<Source>, guarding: Guarding, settings: Settings) -> Self {
        let names = sources.iter().map(|source| source.name().to_owned());
        let rules = Rules {
            names: names.collect(),
            agents: sources.iter().map(Source::agent).collect(),
            #[cfg(feature = "documents")]
            catalog: sources
                .iter()
                .position(|source| matches!(source, Source::Catalog(_))),
            groups: sources.iter().flat_map(Source::groups).collect(),
            allow_data_flow: settings.allow_data_flow.is_some(),
        };
        let known: Vec<Known> = sources
            .iter()
            .map(|source| source.at_first().into())
            .collect();
        let merged = Merged::new(&rules, &listings(&known), &Merged::default());
        warn(&merged.list.withheld, &[]);
        Self {
            sources,
            guarding,
            settings,
            rules,
            state: Mutex::new(State {
                known,
                merged: Arc::new(merged),
                ticket: 0,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the list of the last refresh.
    pub(super) fn merged(&self) -> Arc<Merged> {
        Arc::clone(&self.state().merged)
    }

    /// Returns the skills' instructions at the time of the last list.
    pub(super) fn instructions(&self) -> Vec<Instructions> {
        let state = self.state();
        let sources = self.sources.iter().zip(&state.known);
        sources
            .flat_map(|(source, known)| source.instructions(&known.version))
            .collect()
    }

    /// Returns why a tool's source is failing.
    pub(super) fn failure_of(&self, tool: &str) -> Option<String> {
        let state = self.state();
        let source = state.merged.source_of(tool)?;
        state.known[source].listing.failure.clone()
    }

    /// Returns the catalog source.
    #[cfg(feature = "documents")]
    pub(super) fn catalog(&self) -> Option<&CatalogSource> {
        self.sources.iter().find_map(|source| match source {
            Source::Catalog(catalog) => Some(catalog),
            _ => None,
        })
    }

    /// Returns the name of the catalog source. Without a catalog, another source may have this name.
    pub(super) fn catalog_name(&self) -> Option<&str> {
        let mut sources = self.sources.iter();
        sources.find(|source| source.is_catalog()).map(Source::name)
    }

    /// Returns the tools that break a rule: for each source, the tools that other agents forbid, and the complete data flow of
    /// all allowed tools.
    pub(super) fn broken_rules(&self) -> (Vec<ForbiddenActions>, Option<String>) {
        let state = self.state();
        let mut forbidden = Vec::new();
        let mut flow = DataFlow::new();
        for (source, known) in state.known.iter().enumerate() {
            let tools = known.listing.tools.iter().map(|listed| &**listed);
            forbidden.extend(self.rules.forbidden(source, tools.clone()));
            let allowed = tools.filter(|listed| self.rules.refusal(source, listed).is_none());
            allowed.for_each(|listed| rules::add(&mut flow, listed));
        }
        let is_refused = self.rules.judges_data_flow() && flow.is_complete();
        (forbidden, is_refused.then(|| rules::data_flow_text(&flow)))
    }

    /// Returns the list after refreshing the sources that report a change without waiting.
    pub(super) async fn current(&self) -> Arc<Merged> {
        let (merged, known) = {
            let state = self.state();
            let known = state.known.iter().map(Known::generation);
            (Arc::clone(&state.merged), known.collect::<Vec<_>>())
        };
        let sources = self.sources.iter().zip(known);
        let has_changed: Vec<bool> = sources
            .map(|(source, known)| known.is_some_and(|known| source.has_changed_since(known)))
            .collect();
        if has_changed.contains(&true) {
            self.ask(|source| has_changed[source]).await
        } else {
            merged
        }
    }

    /// Asks all sources for their lists, concurrently.
    pub(super) async fn refresh(&self) -> Arc<Merged> {
        self.ask(|_| true).await
    }

    /// Asks some of the sources for their lists, concurrently.
    pub(super) async fn ask(&self, is_asked: impl Fn(usize) -> bool) -> Arc<Merged> {
        let (ticket, known) = {
            let mut state = self.state();
            state.ticket += 1;
            let known = state.known.iter().map(Asked::of);
            (state.ticket, known.collect::<Vec<_>>())
        };
        let now = Instant::now();
        let asked = self.sources.iter().zip(&known).enumerate();
        let asked = asked.filter(|(index, (_, known))| {
            is_asked(*index) && known.rests_until.is_none_or(|until| until <= now)
        });
        let lists = asked.map(|(index, (source, known))| -> BoxFuture<'_, _> {
            Box::pin(async move {
                let limit = source.list_time_limit();
                let listed = timeout(limit, source.list(&known.version)).await;
                (index, known.revision, listed.map_err(|_| late(limit)))
            })
        });
        let lists = join_all(lists.collect()).await;
        let (before, merged) = {
            let state = &mut *self.state();
            let mut is_changed = false;
            for (index, revision, listed) in lists {
                let known = &mut state.known[index];
                // a refresh that started later may have finished earlier
                if known.ticket < ticket {
                    known.ticket = ticket;
                    known.rests_until = listed.is_err().then(|| Instant::now() + RETRY_AFTER);
                    is_changed |= known.take(revision, listed.unwrap_or_else(Err));
                }
            }
            let before = Arc::clone(&state.merged);
            if is_changed {
                let merged = Merged::new(&self.rules, &listings(&state.known), &before);
                state.merged = Arc::new(merged);
            }
            (before, Arc::clone(&state.merged))
        };
        if !Arc::ptr_eq(&before, &merged) {
            warn(&merged.list.withheld, &before.list.withheld);
        }
        merged
    }
}

/// The state of a source at the time when it is asked for its list.
struct Asked {
    version: Version,
    revision: u64,
    rests_until: Option<Instant>,
}

impl Asked {
    fn of(known: &Known) -> Self {
        // after a failure, an unchanged list would pass for a list that can be called again
        let version = match known.listing.failure {
            Some(_) => Version::Unknown,
            None => known.version.clone(),
        };
        Self {
            version,
            revision: known.revision,
            rests_until: known.rests_until,
        }
    }
}

impl From<Listed> for Known {
    fn from(Listed { tools, version }: Listed) -> Self {
        let failure = None;
        Self {
            listing: Listing { tools, failure },
            version,
            ..Self::default()
        }
    }
}

impl Known {
    /// Returns the list's generation. Returns `None` before the first list, or while the source is failing, because its tools
    /// cannot be called.
    fn generation(&self) -> Option<u64> {
        match self.version {
            Version::Generation(known) if self.listing.failure.is_none() => Some(known),
            _ => None,
        }
    }

    /// Stores the source's response to a request that was sent at `revision`. Returns whether anything changed.
    fn take(&mut self, revision: u64, listed: Result<Option<Listed>, String>) -> bool {
        if matches!(listed, Ok(None)) && self.revision != revision {
            // "unchanged" refers to an older list, because a different response arrived in the meantime
            return false;
        }
        let failed = self.listing.failure.take();
        match listed {
            Err(reason) => {
                let is_changed = failed.as_ref() != Some(&reason);
                self.listing.failure = Some(reason);
                is_changed
            }
            Ok(listed) => {
                let mut is_changed = failed.is_some();
                if let Some(Listed { tools, version }) = listed {
                    self.version = version;
                    self.revision += 1;
                    if !are_equal(&tools, &self.listing.tools) {
                        self.listing.tools = tools;
                        is_changed = true;
                    }
                }
                is_changed
            }
        }
    }
}

fn listings(known: &[Known]) -> Vec<&Listing> {
    known.iter().map(|known| &known.listing).collect()
}

fn late(limit: Duration) -> String {
    format!("it did not list its tools within {limit:?}")
}

/// Logs the newly withheld tools and sources.
fn warn(now: &[Withheld], before: &[Withheld]) {
    let before: HashSet<_> = before.iter().collect();
    for withheld in now.iter().filter(|withheld| !before.contains(withheld)) {
        let Withheld {
            source,
            tool,
            reason,
        } = withheld;
        match tool {
            Some(tool) => tracing::warn!(%source, %tool, %reason, "a tool is withheld"),
            None => tracing::warn!(%source, %reason, "the tools of a source are withheld"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_a_list_is_unchanged_says_nothing_about_a_later_one() {
        let mut known = Known::default();
        let listed = Listed::default();
        known.take(0, Ok(Some(listed)));
        known.take(1, Err("no network".to_owned()));
        // asked before the list arrived
        assert!(!known.take(0, Ok(None)));
        assert_eq!(known.listing.failure.as_deref(), Some("no network"));
        assert!(known.take(1, Ok(None)));
        assert_eq!(known.listing.failure, None);
    }
}
