//! [`Router`]: finds the routes that match a signal.

use super::Route;
use super::pattern::{complexity, matches};
use super::trie::Trie;
use crate::Signal;
use skill_agent_grammar as grammar;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Routes with their targets, in a trie over the segments of the patterns.
///
/// Matching routes are ordered by [`Pattern::complexity`](crate::Pattern::complexity), most specific first, then by priority,
/// highest first, then by registration. Every route is returned once. The cost of a look-up depends on the signal and on the
/// routes that match its first segments, not on the number of routes. Types with more than 127 segments are compared with every
/// route.
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
    /// The entries by id, which is also the registration order.
    order: BTreeMap<RouteId, u32>,
    next: u64,
}

/// The id of a registered route, used to remove it. An id is valid only in the router that returned it and in copies of that
/// router. A different router does not know it, or uses it for a different route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(u64);

/// A route that matches a signal.
#[derive(Debug)]
#[non_exhaustive]
pub struct Match<'a, T> {
    /// The id from the registration.
    pub id: RouteId,
    /// The pattern and the priority.
    pub route: &'a Route,
    /// The target given at registration.
    pub target: &'a T,
    complexity: i64,
}

// not derived, because a derive would require `T: Clone`
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
    /// Creates a router without routes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a route. A pattern can be registered several times, even with the same priority.
    pub fn insert(&mut self, route: Route, target: T) -> RouteId {
        self.register(route, target, None)
    }

    /// Registers a route that only matches signals for which `when` returns true. `when` does not affect the route's order.
    ///
    /// `when` is called at most once for each signal whose type matches, in no particular order among routes. A panic in `when`
    /// is not caught. It unwinds through [`matches`](Self::matches), and the router is unchanged.
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

    /// Removes a route and returns its target, or `None` if it was already removed.
    pub fn remove(&mut self, id: RouteId) -> Option<T> {
        let slot = self.order.remove(&id)?;
        let entry = self.entries[slot as usize].take()?;
        self.trie.remove(&entry.route.pattern, slot);
        self.free.push(slot);
        Some(entry.target)
    }

    /// Returns the routes that match a signal, in order.
    pub fn matches(&self, signal: &Signal) -> Vec<Match<'_, T>> {
        let mut found = Vec::new();
        self.matches_into(signal, &mut found);
        found
    }

    /// Like [`matches`](Self::matches), but clears and fills the caller's list. Nothing else is allocated.
    pub fn matches_into<'a>(&'a self, signal: &Signal, found: &mut Vec<Match<'a, T>>) {
        self.collect(signal.ty(), Some(signal), found);
    }

    /// Returns the routes that match every signal of the type `ty`, in order. Routes from [`insert_when`](Self::insert_when) are
    /// left out, because they depend on the signal.
    pub fn matches_type(&self, ty: &str) -> Vec<Match<'_, T>> {
        let mut found = Vec::new();
        self.matches_type_into(ty, &mut found);
        found
    }

    /// Like [`matches_type`](Self::matches_type), but clears and fills the caller's list. Nothing else is allocated.
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
        // A stable sort would allocate. The ids make the order total.
        found.sort_unstable_by_key(|found| {
            (Reverse((found.complexity, found.route.priority)), found.id)
        });
    }

    /// Returns the number of routes.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns whether there are no routes.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns whether a route with exactly this pattern is registered.
    pub fn has_route(&self, pattern: &str) -> bool {
        grammar::is_pattern(pattern) && !self.trie.slots(pattern).is_empty()
    }

    /// Returns all routes, in registration order.
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

// not derived, because a derive would require `T: Default`
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
