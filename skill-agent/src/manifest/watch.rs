//! A catalog that follows its folders (feature `watch`).

use super::{Catalog, Changes};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// So long nothing has happened when a change counts as over: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// So long a change that goes on and on is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// A catalog that is loaded again when its folders change. Folders that are not there yet are waited for.
///
/// It has no thread that loads: [`wait`](Self::wait) blocks and does it, so a program gives it a thread of its own and hands
/// copies of the catalog on.
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
pub struct Watcher {
    catalog: Catalog,
    system: RecommendedWatcher,
    /// That something has happened; more of it until it is looked at is the same.
    signals: Receiver<()>,
    roots: Vec<PathBuf>,
    watched: Vec<PathBuf>,
}

/// Why folders cannot be watched.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The system watches nothing at all.
    #[error("folders cannot be watched on this system")]
    System(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It does not watch a folder: often there are too many.
    #[error("the folder `{}` cannot be watched", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The system has stopped to tell what happens.
    #[error("the system has stopped watching")]
    Stopped,
}

impl Catalog {
    /// Follows the folders of the catalog from now on.
    ///
    /// # Errors
    /// The system cannot watch them.
    pub fn watch(self) -> Result<Watcher, WatchError> {
        let roots = self.settings.roots.iter();
        let roots: Vec<_> = roots.filter_map(|it| it.path()).map(real).collect();
        let (sender, signals) = sync_channel(1);
        let handler = handler(sender, roots.clone());
        // what is watched is what is loaded, and links are not
        let config = Config::default().with_follow_symlinks(false);
        let system = RecommendedWatcher::new(handler, config)
            .map_err(|error| WatchError::System(error.into()))?;
        let mut watcher = Watcher {
            catalog: self,
            system,
            signals,
            roots,
            watched: Vec::new(),
        };
        watcher.arm()?;
        // what changed before it was watched
        watcher.catalog.reload();
        Ok(watcher)
    }
}

impl Watcher {
    /// The catalog as it was loaded last.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The same, to trust a document in it.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// Waits until what is offered changes. Blocks the thread; `None` when it took longer than `at_most`. Something that
    /// happens just then is waited out, which takes a second more at the most.
    ///
    /// # Errors
    /// The folders cannot be watched any more.
    pub fn wait(&mut self, at_most: Duration) -> Result<Option<Changes>, WatchError> {
        let begin = Instant::now();
        loop {
            let left = at_most.saturating_sub(begin.elapsed());
            match self.signals.recv_timeout(left) {
                Ok(()) => self.settle()?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(WatchError::Stopped),
            }
            // first: what happens from now on is a signal again
            self.arm()?;
            let changes = self.catalog.reload();
            if !changes.is_empty() {
                return Ok(Some(changes));
            }
            // what goes on in the folders without an end is no reason to wait without one
            if begin.elapsed() >= at_most {
                return Ok(None);
            }
        }
    }

    /// Waits until nothing happens.
    fn settle(&self) -> Result<(), WatchError> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            match self.signals.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(WatchError::Stopped),
            }
        }
        Ok(())
    }

    /// Watches every folder that is there, and where one is not, the nearest one that it may come into. All of it is done
    /// anew: a folder that was removed and made again is another one.
    fn arm(&mut self) -> Result<(), WatchError> {
        for path in self.watched.drain(..) {
            // it may be gone
            let _ = self.system.unwatch(&path);
        }
        for root in &self.roots {
            let there = root.ancestors().find(|it| it.is_dir());
            let Some(path) = there.map(Path::to_owned) else {
                continue;
            };
            let mode = match path == *root {
                true => RecursiveMode::Recursive,
                false => RecursiveMode::NonRecursive,
            };
            match self.system.watch(&path, mode) {
                Ok(()) => self.watched.push(path),
                // it went away just now, which is a change that the next load sees
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

/// Tells of what happens in a folder, to it or on the way to it.
fn handler(sender: SyncSender<()>, roots: Vec<PathBuf>) -> impl FnMut(notify::Result<Event>) {
    move |event| {
        let matters = match event {
            // reading is no change, and a load reads
            Ok(event) => {
                let of_ours = |path: &PathBuf| {
                    let mut roots = roots.iter();
                    roots.any(|root| path.starts_with(root) || root.starts_with(path))
                };
                let no_place = event.paths.is_empty() || event.need_rescan();
                !matches!(event.kind, EventKind::Access(_))
                    && (no_place || event.paths.iter().any(of_ours))
            }
            // something may have been missed
            Err(_) => true,
        };
        if matters {
            // a signal that is not taken yet says the same
            let _ = sender.try_send(());
        }
    }
}

/// A path as the system tells it: absolute, and without links as far as it leads anywhere.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    path
}
