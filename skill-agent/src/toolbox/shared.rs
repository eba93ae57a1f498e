//! The state that a toolbox and its sessions share.

use super::list::Instructions;
use super::merged::{Listing, Merged};
use super::origin::ServerOrigin;
use skill_core::SkillSpec;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state that a toolbox and its sessions share. It has nothing of a caller.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) sources: Vec<Source>,
    names: Vec<String>,
    state: Mutex<State>,
}

/// A source of tools.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) origin: ServerOrigin,
}

#[derive(Debug)]
struct State {
    listed: Vec<Listed>,
    merged: Arc<Merged>,
    /// The number of the last refresh that began.
    ticket: u64,
}

/// The list of a source, and what it was made of.
#[derive(Clone, Debug, Default)]
struct Listed {
    listing: Listing,
    mounted: Vec<&'static SkillSpec>,
    /// The refresh that it is from.
    ticket: u64,
}

impl Shared {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        let names: Vec<String> = sources
            .iter()
            .map(|source| source.origin.name().to_owned())
            .collect();
        let listed: Vec<Listed> = sources
            .iter()
            .map(|source| Listed {
                listing: Listing {
                    tools: source.origin.tools(&[]),
                    failure: None,
                },
                ..Listed::default()
            })
            .collect();
        let listings: Vec<Listing> = listed.iter().map(|source| source.listing.clone()).collect();
        let merged = Merged::new(&names, &listings, &Merged::default());
        Self {
            sources,
            names,
            state: Mutex::new(State {
                listed,
                merged: Arc::new(merged),
                ticket: 0,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // no code of a user runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The list as it was last refreshed.
    pub(super) fn merged(&self) -> Arc<Merged> {
        Arc::clone(&self.state().merged)
    }

    /// The instructions of the skills, as they were last listed.
    pub(super) fn instructions(&self) -> Vec<Instructions> {
        let state = self.state();
        let sources = self.sources.iter().zip(&state.listed);
        sources
            .flat_map(|(source, listed)| source.origin.instructions(&listed.mounted))
            .collect()
    }

    /// Asks the sources for their lists.
    pub(super) async fn refresh(&self) -> Arc<Merged> {
        let (ticket, known) = {
            let mut state = self.state();
            state.ticket += 1;
            (state.ticket, state.listed.clone())
        };
        let mut changed = Vec::new();
        for (index, (source, known)) in self.sources.iter().zip(known).enumerate() {
            match source.origin.mounted(&known.mounted).await {
                Ok(None) if known.listing.failure.is_none() => {}
                Ok(mounted) => {
                    let mounted = mounted.unwrap_or(known.mounted);
                    let listing = Listing {
                        tools: source.origin.tools(&mounted),
                        failure: None,
                    };
                    changed.push((
                        index,
                        Listed {
                            listing,
                            mounted,
                            ticket,
                        },
                    ));
                }
                Err(reason) if known.listing.failure.as_ref() == Some(&reason) => {}
                Err(reason) => {
                    let listing = Listing {
                        failure: Some(reason),
                        ..known.listing
                    };
                    changed.push((
                        index,
                        Listed {
                            listing,
                            mounted: known.mounted,
                            ticket,
                        },
                    ));
                }
            }
        }
        if changed.is_empty() {
            return self.merged();
        }
        self.put(changed)
    }

    /// Takes lists over, except those that are older than the present ones.
    fn put(&self, changed: Vec<(usize, Listed)>) -> Arc<Merged> {
        let mut state = self.state();
        for (index, listed) in changed {
            if state.listed[index].ticket < listed.ticket {
                state.listed[index] = listed;
            }
        }
        let listings: Vec<Listing> = state
            .listed
            .iter()
            .map(|source| source.listing.clone())
            .collect();
        let merged = Merged::new(&self.names, &listings, &state.merged);
        if *merged.list != *state.merged.list {
            state.merged = Arc::new(merged);
        }
        Arc::clone(&state.merged)
    }
}
