//! Walks the folder of a source level by level, each level sorted by name. The same folders thus give the same result, and a
//! limit cuts off the deepest folders.

mod document;

use super::brought::Budget;
use super::content::Content;
use super::found::{At, Found};
use super::scan::Scanned;
use super::settings::Root;
use crate::manifest::folder::{Folder, Item, Kind, Refused, inside};
use crate::manifest::{
    ContentHash, Diagnostic, DiagnosticCode, Dialect, DocText, Enforcement, LinkPolicy, Severity,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Walks the opened folder of a source.
pub(super) fn walk(index: usize, root: &Root, path: &Path, top: &Folder) -> Scanned {
    let mut walk = Walk {
        index,
        root,
        path,
        dialect: &root.dialect,
        left: root.dialect.limits.entries,
        seen: BTreeSet::from([PathBuf::new()]),
        bare: BTreeSet::new(),
        budget: Budget::of(&root.dialect.limits),
        scanned: Scanned::default(),
    };
    walk.run(top);
    walk.tell_bare();
    walk.scanned
}

struct Walk<'a> {
    index: usize,
    root: &'a Root,
    path: &'a Path,
    dialect: &'a Dialect,
    /// How many more files and folders may be visited.
    left: usize,
    /// Visited folders, to visit a folder only once if links lead to it.
    seen: BTreeSet<PathBuf>,
    /// Top-level folders below which no document has been found yet.
    bare: BTreeSet<PathBuf>,
    /// The budget for hashing bundled files.
    budget: Budget,
    scanned: Scanned,
}

impl Walk<'_> {
    fn run(&mut self, top: &Folder) {
        let mut level = vec![PathBuf::new()];
        for depth in 1..=self.dialect.depth.max(1) {
            let mut next = Vec::new();
            for place in level {
                let Some(folder) = self.opened(&place, top.below(&place)) else {
                    continue;
                };
                let Some(items) = self.listed(&place, &folder) else {
                    return;
                };
                for item in items {
                    self.visit(top, &folder, &place, item, depth, &mut next);
                }
            }
            level = next;
        }
    }

    /// Returns the items of a folder; `None`, which ends the walk, if there are too many.
    fn listed(&mut self, place: &Path, folder: &Folder) -> Option<Vec<Item>> {
        let items = match folder.items(self.left) {
            Err(Refused::TooMany { .. }) => {
                let message = format!(
                    "the source `{}` has more than {} files and folders, and from here on none is looked at",
                    self.root.name, self.dialect.limits.entries
                );
                self.tell(place, DiagnosticCode::TooLarge, Severity::Error, message);
                return None;
            }
            other => self.opened(place, other).unwrap_or_default(),
        };
        self.left -= items.len();
        Some(items)
    }

    fn visit(
        &mut self,
        top: &Folder,
        folder: &Folder,
        parent: &Path,
        item: Item,
        depth: usize,
        next: &mut Vec<PathBuf>,
    ) {
        if matches!(item.kind, Kind::File | Kind::Other) || is_skipped(&item.name) {
            return;
        }
        let place = parent.join(&item.name);
        if !self.is_named_well(&place, &item.name) {
            return;
        }
        let (place, entered) = match (item.kind, self.dialect.links) {
            (Kind::Folder, _) => (place, folder.folder(&item.name)),
            (_, LinkPolicy::Inside) => match inside(self.path, &place) {
                Some(target) => {
                    let entered = top.below(&target);
                    (target, entered)
                }
                None => {
                    let why = "leads to no folder within that of the source";
                    return self.refuse_link(&place, why);
                }
            },
            (_, LinkPolicy::Refuse) => return self.refuse_link(&place, "is not followed"),
        };
        if self.dialect.links == LinkPolicy::Inside && !self.seen.insert(place.clone()) {
            return;
        }
        let Some(entered) = self.opened(&place, entered) else {
            return;
        };
        if self.document(&entered, &place) {
            for above in place.ancestors() {
                self.bare.remove(above);
            }
            return;
        }
        if depth == 1 {
            self.bare.insert(place.clone());
        }
        if depth < self.dialect.depth {
            next.push(place);
        }
    }

    /// A candidate that claims the name of its folder.
    fn claim(&self, folder: &Path, name: DocText) -> Found {
        let id = folder.file_name().and_then(OsStr::to_str);
        Found {
            id: id.unwrap_or_default().to_owned().into(),
            root: self.index,
            at: At::File {
                folder: folder.to_owned(),
                name,
            },
            doc: None,
            content: Content::of(ContentHash::of(b"")),
            trusted: false,
        }
    }

    /// Unwraps the result of opening or reading. A folder that fails claims its name, because it may contain a document.
    fn opened<T>(&mut self, place: &Path, result: Result<T, Refused>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            // deleted since its name was read
            Err(Refused::Missing) => None,
            Err(why) => {
                self.refuse(place, &why);
                self.claim_folder(place);
                None
            }
        }
    }

    fn refuse_link(&mut self, place: &Path, why: &str) {
        let message = format!("a symbolic link, which {why}");
        self.tell(place, DiagnosticCode::LinkRefused, Severity::Error, message);
        self.claim_folder(place);
    }

    fn claim_folder(&mut self, place: &Path) {
        if !place.as_os_str().is_empty() {
            let claim = self.claim(place, DocText::default());
            self.scanned.found.push(claim);
        }
    }

    fn refuse(&mut self, place: &Path, why: &Refused) {
        let message = format!("it cannot be read: {why}");
        self.tell(place, code(why), Severity::Error, message);
    }

    /// Whether the name of a folder can be the last component of a path. The document check validates it further.
    fn is_named_well(&mut self, place: &Path, name: &OsStr) -> bool {
        if name.to_str().is_some_and(|name| !name.contains('\\')) {
            return true;
        }
        let message = format!("{name:?} is no name of a document");
        let help = "name the folder in UTF-8, without `\\`";
        let why = Diagnostic::new(DiagnosticCode::InvalidName, Severity::Error, message);
        let why = why.at(self.shown(place)).help(help);
        self.scanned.diagnostics.push(why);
        false
    }

    fn tell_bare(&mut self) {
        let files = self.dialect.file_names.join("` or `");
        if self.dialect.missing == Enforcement::Ignore {
            return;
        }
        for place in std::mem::take(&mut self.bare) {
            let message = format!("the folder has no `{files}`");
            self.tell(
                &place,
                DiagnosticCode::MissingSkillMd,
                Severity::Warning,
                message,
            );
        }
    }

    fn tell(&mut self, place: &Path, code: DiagnosticCode, severity: Severity, message: String) {
        let path = self.shown(place);
        let why = Diagnostic::new(code, severity, message).at(path);
        self.scanned.diagnostics.push(why);
    }

    fn shown(&self, place: &Path) -> String {
        if place.as_os_str().is_empty() {
            self.path.display().to_string()
        } else {
            self.path.join(place).display().to_string()
        }
    }
}

fn code(why: &Refused) -> DiagnosticCode {
    match why {
        Refused::Link => DiagnosticCode::LinkRefused,
        Refused::TooLarge { .. }
        | Refused::TooLargeInAll { .. }
        | Refused::TooMany { .. }
        | Refused::TooManyInAll { .. }
        | Refused::TooDeep { .. } => DiagnosticCode::TooLarge,
        Refused::Missing | Refused::NoFolder | Refused::NoFile | Refused::Io(_) => {
            DiagnosticCode::Unreadable
        }
    }
}

/// Whether a folder is skipped: `node_modules` and hidden folders contain no documents of their own, and many other files.
pub(super) fn is_skipped(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}
