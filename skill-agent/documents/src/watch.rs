//! A catalog that follows changes of its folders (feature `watch`).

use super::{Catalog, CatalogChanges};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A change is over after this much time without events: editors write a file in several steps.
const QUIET_PERIOD: Duration = Duration::from_millis(50);

/// The longest time to wait for a change to be over.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// A catalog that is reloaded when its folders change. Folders that do not exist yet are watched for too.
///
/// It spawns no thread: [`wait`](Self::wait) blocks and reloads, so a program runs it in a thread of its own and passes clones
/// of the catalog on.
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
    /// Receives a unit after events; further events are merged until it is received.
    signals: Receiver<()>,
    roots: Vec<PathBuf>,
    watched: Vec<PathBuf>,
}

/// Why folders cannot be watched.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The operating system cannot watch at all.
    #[error("folders cannot be watched on this system")]
    System(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The operating system cannot watch a folder, often because too many are watched.
    #[error("the folder `{}` cannot be watched", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The operating system has stopped reporting events.
    #[error("the system has stopped watching")]
    Stopped,
}

impl Catalog {
    /// Watches the folders of the catalog from now on.
    ///
    /// # Errors
    /// Fails if the operating system cannot watch them.
    pub fn watch(self) -> Result<CatalogWatcher, WatchError> {
        let roots = self.settings.roots.iter();
        let roots = roots.filter(|root| root.path().is_some());
        // one setting for all: a link of a source that may not follow it could lead anywhere
        let follows = roots.clone().all(|root| root.follows_links);
        let roots: Vec<_> = roots.filter_map(|root| root.path()).map(resolve).collect();
        let (sender, signals) = sync_channel(1);
        let handler = handler(sender, roots.clone());
        // watch what is loaded
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
        // catch changes made before watching began
        watcher.catalog.reload();
        Ok(watcher)
    }
}

impl CatalogWatcher {
    /// Returns the catalog as last loaded.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns the catalog mutably, for trusting a document in it.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// Blocks until the offered documents change. Returns `None` if that takes longer than `at_most`. A change in progress is
    /// waited for, for at most another second.
    ///
    /// # Errors
    /// Fails if the folders can no longer be watched.
    pub fn wait(&mut self, at_most: Duration) -> Result<Option<CatalogChanges>, WatchError> {
        let begin = Instant::now();
        loop {
            let left = at_most.saturating_sub(begin.elapsed());
            match self.signals.recv_timeout(left) {
                Ok(()) => self.settle()?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(WatchError::Stopped),
            }
            // arm first, so that what happens from now on is signaled again
            self.arm()?;
            let changes = self.catalog.reload();
            if !changes.is_empty() {
                return Ok(Some(changes));
            }
            // endless changes in the folders must not extend the wait
            if begin.elapsed() >= at_most {
                return Ok(None);
            }
        }
    }

    /// Waits until no more events arrive.
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

    /// Watches every existing folder, and for a missing one its nearest existing ancestor. All watches are renewed, because a
    /// folder that was deleted and created again is a different one.
    fn arm(&mut self) -> Result<(), WatchError> {
        for path in self.watched.drain(..) {
            // it may no longer exist
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
                // deleted just now, which the next load notices
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

/// Returns the event handler, which signals events in a folder, of the folder itself, or of one of its ancestors.
fn handler(sender: SyncSender<()>, roots: Vec<PathBuf>) -> impl FnMut(notify::Result<Event>) {
    move |event| {
        let matters = match event {
            // reading is not a change, and loading reads
            Ok(event) => {
                let of_ours = |path: &PathBuf| {
                    let mut roots = roots.iter();
                    roots.any(|root| path.starts_with(root) || root.starts_with(path))
                };
                let no_place = event.paths.is_empty() || event.need_rescan();
                !matches!(event.kind, EventKind::Access(_))
                    && (no_place || event.paths.iter().any(of_ours))
            }
            // an event may have been missed
            Err(_) => true,
        };
        if matters {
            // a pending signal already covers this event
            let _ = sender.try_send(());
        }
    }
}

/// Returns a path as the operating system reports it: absolute, with the links of its existing part resolved.
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
