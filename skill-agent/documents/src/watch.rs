//! Reloads a catalog when its folders change (feature `watch`).

use super::{Catalog, CatalogChanges};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How long to wait without events before a change counts as complete, because editors write a file in several steps.
const QUIET_PERIOD: Duration = Duration::from_millis(50);

/// The approximate maximum wait until a change is complete.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// A catalog that reloads when its folders change. Folders that do not exist yet are watched too.
///
/// The watcher does not spawn a thread. Call [`wait`](Self::wait) in a thread of its own: the method blocks, and reloads the
/// catalog. Pass clones of the catalog to other threads.
///
/// ```no_run
/// use skill_agent::manifest::{Catalog, Dialect, Source};
/// use std::time::Duration;
///
/// let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(Source::user_home()).load();
/// let mut watcher = catalog.watch()?;
/// while let Some(changes) = watcher.wait(Duration::from_secs(3600))? {
///     println!("{} skills, {changes:?}", watcher.catalog().skills().count());
/// }
/// # Ok::<(), skill_agent::manifest::WatchError>(())
/// ```
#[derive(Debug)]
pub struct CatalogWatcher {
    catalog: Catalog,
    system: RecommendedWatcher,
    /// Receives a signal after events. More events send no second signal until the first one has been received.
    signals: Receiver<()>,
    roots: Vec<PathBuf>,
    watched: Vec<PathBuf>,
}

/// The error for folders that cannot be watched.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The operating system cannot watch any folders.
    #[error("folders cannot be watched on this system")]
    System(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The operating system cannot watch a folder, often because there are too many watches.
    #[error("the folder `{}` cannot be watched", .path.display())]
    Folder {
        /// The path of the folder that cannot be watched.
        path: PathBuf,
        /// The operating system's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The operating system no longer reports events.
    #[error("the system has stopped watching")]
    Stopped,
}

impl Catalog {
    /// Starts watching the catalog's folders.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot watch the folders.
    pub fn watch(self) -> Result<CatalogWatcher, WatchError> {
        let roots = self.settings.roots.iter();
        let roots = roots.filter(|root| root.path().is_some());
        // all sources share one setting: in a source that does not follow links, a link could lead anywhere
        let follows = roots.clone().all(|root| root.follows_links);
        let roots: Vec<_> = roots.filter_map(|root| root.path()).map(resolve).collect();
        let (sender, signals) = sync_channel(1);
        let handler = handler(sender, roots.clone());
        // watch the same folders that are loaded
        let config = Config::default().with_follow_symlinks(follows);
        let system = RecommendedWatcher::new(handler, config)
            .map_err(|error| WatchError::System(error.into()))?;
        let mut watcher = CatalogWatcher {
            catalog: self,
            system,
            signals,
            roots,
            watched: Vec::new(),
        };
        watcher.arm()?;
        // catch changes made before the watch began
        watcher.catalog.reload();
        Ok(watcher)
    }
}

impl CatalogWatcher {
    /// Returns the catalog as it was last loaded.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns a mutable reference to the catalog, for example to trust a document.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// Blocks until the offered documents change. Returns `None` if they do not change within `at_most`. If a change is in
    /// progress, waits about one second longer at most.
    ///
    /// # Errors
    /// Returns an error if the folders can no longer be watched.
    pub fn wait(&mut self, at_most: Duration) -> Result<Option<CatalogChanges>, WatchError> {
        let begin = Instant::now();
        loop {
            let left = at_most.saturating_sub(begin.elapsed());
            match self.signals.recv_timeout(left) {
                Ok(()) => self.settle()?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(WatchError::Stopped),
            }
            // arm the watches first, so that later changes send a new signal
            self.arm()?;
            let changes = self.catalog.reload();
            if !changes.is_empty() {
                return Ok(Some(changes));
            }
            // constant changes in the folders must not prolong the wait
            if begin.elapsed() >= at_most {
                return Ok(None);
            }
        }
    }

    /// Waits until no more events arrive, for about a second at most.
    fn settle(&self) -> Result<(), WatchError> {
        let begin = Instant::now();
        while begin.elapsed() < MAX_WAIT {
            match self.signals.recv_timeout(QUIET_PERIOD) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(WatchError::Stopped),
            }
        }
        Ok(())
    }

    /// Watches every existing folder, and the nearest existing ancestor of each missing one. Renews all watches, because a folder
    /// that was deleted and created again is a different folder.
    fn arm(&mut self) -> Result<(), WatchError> {
        for path in self.watched.drain(..) {
            // the folder may no longer exist
            let _ = self.system.unwatch(&path);
        }
        for root in &self.roots {
            let there = root.ancestors().find(|path| path.is_dir());
            let Some(path) = there.map(Path::to_owned) else {
                continue;
            };
            let mode = if path == *root {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            match self.system.watch(&path, mode) {
                Ok(()) => self.watched.push(path),
                // just deleted; the next load will notice
                Err(_) if !path.is_dir() => {}
                Err(source) => {
                    let source = source.into();
                    return Err(WatchError::Folder { path, source });
                }
            }
        }
        Ok(())
    }
}

/// Creates the event handler. It sends a signal for events in a folder, on the folder itself, or on one of its ancestors.
fn handler(sender: SyncSender<()>, roots: Vec<PathBuf>) -> impl FnMut(notify::Result<Event>) {
    move |event| {
        let matters = match event {
            // ignore read events, because loading the documents causes them
            Ok(event) => {
                let of_ours = |path: &PathBuf| {
                    let mut roots = roots.iter();
                    roots.any(|root| path.starts_with(root) || root.starts_with(path))
                };
                let no_place = event.paths.is_empty() || event.need_rescan();
                !matches!(event.kind, EventKind::Access(_))
                    && (no_place || event.paths.iter().any(of_ours))
            }
            // events may have been lost
            Err(_) => true,
        };
        if matters {
            // a pending signal already covers this event
            let _ = sender.try_send(());
        }
    }
}

/// Returns a path as the operating system reports it: absolute, with links resolved in its existing part.
fn resolve(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        if let (Ok(resolve), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return if rest.as_os_str().is_empty() {
                resolve
            } else {
                resolve.join(rest)
            };
        }
    }
    path
}
