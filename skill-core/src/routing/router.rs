//! Many routes, and which of them a signal takes.

use super::Route;
use super::pattern::{complexity, matches};
use super::trie::Trie;
use crate::Signal;
use skill_agent_grammar as grammar;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Routes with what they lead to, by the segments of their patterns.
///
/// Routes that match one signal come in this order: the pattern that says more
/// ([`Pattern::complexity`](crate::Pattern::complexity)), then the higher priority, then what was registered first. Every
/// route comes once. What a look-up costs follows from the signal and from the routes that fit its beginning, not from how
/// many there are; types of more than 127 segments are compared with one route after the other.
///
/// ```
/// use serde_json::json;
/// use skill_core::{Route, Router, Signal};
/// let mut router = Router::new();
/// router.insert(Route::new("order.**"), "archive");
/// router.insert(Route::new("order.*.paid"), "ship");
/// let big = router.insert_when(Route::new("order.*.paid").priority(10), "call", |signal| {
///     signal.data()["total"].as_f64() > Some(1000.0)
/// });
///
/// let targets = |router: &Router<&'static str>, signal| {
///     router.matches(&signal).iter().map(|found| *found.target).collect::<Vec<_>>()
/// };
/// let paid = |total| Signal::new("order.7.paid", json!({ "total": total }));
/// assert_eq!(targets(&router, paid(7)), ["ship", "archive"]);
/// assert_eq!(targets(&router, paid(7000)), ["call", "ship", "archive"]);
///
/// router.remove(big);
/// assert_eq!(targets(&router, paid(7000)), ["ship", "archive"]);
/// ```
#[derive(Clone)]
pub struct Router<T> {
    trie: Trie,
    entries: Vec<Option<Entry<T>>>,
    free: Vec<u32>,
    /// From ids, which are in order of registration, to entries.
    order: BTreeMap<RouteId, u32>,
    next: u64,
}

/// What a registration is known by, in the router that gave it and its copies: to take it out again. No router gives one
/// twice, but two routers give the same ones; in another it is unknown or means another route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(u64);

/// A route that a signal takes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Match<'a, T> {
    /// What it is known by.
    pub id: RouteId,
    /// Its pattern and its priority.
    pub route: &'a Route,
    /// Where it leads.
    pub target: &'a T,
    complexity: i64,
}

// by hand: a derive would ask it of the target too
impl<T> Clone for Match<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Match<'_, T> {}

type Predicate = Arc<dyn Fn(&Signal) -> bool + Send + Sync>;

#[derive(Clone)]
struct Entry<T> {
    id: RouteId,
    route: Route,
    complexity: i64,
    when: Option<Predicate>,
    target: T,
}

impl<T> Entry<T> {
    fn found(&self) -> Match<'_, T> {
        Match {
            id: self.id,
            route: &self.route,
            target: &self.target,
            complexity: self.complexity,
        }
    }
}

impl<T> Router<T> {
    /// A router without routes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a route. The same pattern can be registered often, also with the same priority.
    pub fn insert(&mut self, route: Route, target: T) -> RouteId {
        self.register(route, target, None)
    }

    /// Registers a route for those signals only that `when` says yes to. Its place in the order is that of any route with its
    /// pattern and priority.
    ///
    /// `when` is asked at most once for each signal whose type matches, in no particular order among routes. A panic in it is
    /// not caught: it goes up through [`matches`](Self::matches), and the router is as before.
    pub fn insert_when(
        &mut self,
        route: Route,
        target: T,
        when: impl Fn(&Signal) -> bool + Send + Sync + 'static,
    ) -> RouteId {
        self.register(route, target, Some(Arc::new(when)))
    }

    fn register(&mut self, route: Route, target: T, when: Option<Predicate>) -> RouteId {
        let id = RouteId(self.next);
        self.next += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            (self.entries.len() - 1) as u32
        });
        self.trie.insert(&route.pattern, slot);
        self.order.insert(id, slot);
        self.entries[slot as usize] = Some(Entry {
            id,
            complexity: complexity(&route.pattern),
            route,
            when,
            target,
        });
        id
    }

    /// Takes a route out, and gives where it led; `None` when it is no longer there.
    pub fn remove(&mut self, id: RouteId) -> Option<T> {
        let slot = self.order.remove(&id)?;
        let entry = self.entries[slot as usize].take()?;
        self.trie.remove(&entry.route.pattern, slot);
        self.free.push(slot);
        Some(entry.target)
    }

    /// The routes that a signal takes, in order.
    pub fn matches(&self, signal: &Signal) -> Vec<Match<'_, T>> {
        let mut found = Vec::new();
        self.matches_into(signal, &mut found);
        found
    }

    /// The same into a list of the caller, which is cleared first; nothing else is allocated.
    pub fn matches_into<'a>(&'a self, signal: &Signal, found: &mut Vec<Match<'a, T>>) {
        self.collect(signal.ty(), Some(signal), found);
    }

    /// The routes that every signal of the type `ty` takes, in order: without those of [`insert_when`](Self::insert_when),
    /// for which there is no signal to look at.
    pub fn matches_type(&self, ty: &str) -> Vec<Match<'_, T>> {
        let mut found = Vec::new();
        self.matches_type_into(ty, &mut found);
        found
    }

    /// The same into a list of the caller, which is cleared first; nothing else is allocated.
    pub fn matches_type_into<'a>(&'a self, ty: &str, found: &mut Vec<Match<'a, T>>) {
        self.collect(ty, None, found);
    }

    fn collect<'a>(&'a self, ty: &str, signal: Option<&Signal>, found: &mut Vec<Match<'a, T>>) {
        found.clear();
        let mut take = |entry: &'a Entry<T>| {
            let agrees = match &entry.when {
                None => true,
                Some(when) => signal.is_some_and(|signal| when(signal)),
            };
            if agrees {
                found.push(entry.found());
            }
        };
        let walked = self.trie.walk(ty, &mut |slot| {
            self.entries[slot as usize].iter().for_each(&mut take);
        });
        if !walked {
            let entries = self.entries.iter().flatten();
            entries
                .filter(|entry| matches(&entry.route.pattern, ty))
                .for_each(take);
        }
        // stable sorting would allocate; ids make the order total
        found.sort_unstable_by_key(|it| (Reverse((it.complexity, it.route.priority)), it.id));
    }

    /// How many routes there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no routes.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether a route with exactly this pattern is there, whatever else would match it.
    pub fn has_route(&self, pattern: &str) -> bool {
        grammar::is_pattern(pattern) && !self.trie.slots(pattern).is_empty()
    }

    /// All routes, in order of registration.
    pub fn iter(&self) -> impl Iterator<Item = Match<'_, T>> {
        let entries = self
            .order
            .values()
            .map(|slot| &self.entries[*slot as usize]);
        entries.flatten().map(Entry::found)
    }

    #[cfg(test)]
    pub(super) fn trie_is_bare(&self) -> bool {
        self.trie.is_bare()
    }
}

// by hand: a derive would ask it of the target too
impl<T> Default for Router<T> {
    fn default() -> Self {
        Self {
            trie: Trie::default(),
            entries: Vec::new(),
            free: Vec::new(),
            order: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Router<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
