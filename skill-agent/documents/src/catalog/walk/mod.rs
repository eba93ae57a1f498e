//! Walks a source's folder level by level and sorts each level by name, so that the result depends only on the folders. If a
//! limit is reached, the deepest folders are left out.

mod document;
mod scripts;

use super::bundled_files::is_skipped;
use super::settings::SourceRoot;
use crate::catalog::load::candidate::{DocumentCandidate, Location};
use crate::catalog::load::content_hashes::ContentHashes;
use crate::catalog::load::hash_budget::HashBudget;
use crate::catalog::load::scan_result::ScanResult;
use crate::folder::{Folder, FolderError, FolderItem, ItemKind, inside, outside};
use crate::{
    ContentHash, Diagnostic, DiagnosticCode, Dialect, DocText, Enforcement, LinkPolicy, Severity,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Walks a source's open folder.
pub(super) fn walk(index: usize, root: &SourceRoot, path: &Path, top: &Folder) -> ScanResult {
    let mut walk = FolderWalk {
        index,
        root,
        path,
        dialect: &root.dialect,
        left: root.dialect.limits.entries,
        visited: BTreeSet::from([PathBuf::new()]),
        bare: BTreeSet::new(),
        budget: HashBudget::of(&root.dialect.limits),
        scanned: ScanResult::default(),
    };
    if root.only.is_none() {
        walk.report_document_at_the_top(top);
    }
    walk.run(top);
    walk.report_bare();
    walk.scanned
}

struct FolderWalk<'a> {
    index: usize,
    root: &'a SourceRoot,
    path: &'a Path,
    dialect: &'a Dialect,
    /// The number of files and folders that may still be visited.
    left: usize,
    /// The visited folders, so that a folder with several links to it is visited only once.
    visited: BTreeSet<PathBuf>,
    /// The top-level folders in which no document has been found so far.
    bare: BTreeSet<PathBuf>,
    /// The budget for hashing bundled files.
    budget: HashBudget,
    scanned: ScanResult,
}

impl FolderWalk<'_> {
    fn run(&mut self, top: &Folder) {
        let mut level = vec![PathBuf::new()];
        for depth in 1..=self.dialect.depth.max(1) {
            let mut next = Vec::new();
            for rel_path in level {
                let Some(folder) = self.opened(&rel_path, top.below_or_linked(&rel_path)) else {
                    continue;
                };
                let Some(items) = self.listed(&rel_path, &folder) else {
                    return;
                };
                for item in items {
                    self.visit(top, &folder, &rel_path, item, depth, &mut next);
                }
            }
            level = next;
        }
    }

    /// Returns a folder's items. If the folder has too many items, returns `None`, and the walk ends.
    fn listed(&mut self, rel_path: &Path, folder: &Folder) -> Option<Vec<FolderItem>> {
        let items = match folder.items(self.left) {
            Err(FolderError::TooMany { .. }) => {
                let message = format!(
                    "the source `{}` has more than {} files and folders; the rest is ignored",
                    self.root.name, self.dialect.limits.entries
                );
                self.report(rel_path, DiagnosticCode::TooLarge, Severity::Error, message);
                return None;
            }
            other => self.opened(rel_path, other).unwrap_or_default(),
        };
        self.left -= items.len();
        Some(items)
    }

    fn visit(
        &mut self,
        top: &Folder,
        folder: &Folder,
        parent: &Path,
        item: FolderItem,
        depth: usize,
        next: &mut Vec<PathBuf>,
    ) {
        if depth == 1 && item.kind == ItemKind::File && self.root.only.is_none() {
            self.report_misplaced(folder, &item.name);
        }
        let is_excluded = depth == 1
            && self
                .root
                .only
                .as_ref()
                .is_some_and(|only| *only != item.name);
        if matches!(item.kind, ItemKind::File | ItemKind::Other)
            || is_excluded
            || is_skipped(&item.name)
        {
            return;
        }
        let rel_path = parent.join(&item.name);
        if !self.is_named_well(&rel_path, &item.name) {
            return;
        }
        let (rel_path, entered) = match item.kind {
            ItemKind::Folder => (rel_path, folder.folder(&item.name)),
            _ => match self.target(&rel_path) {
                Ok(target) => {
                    let entered = top.below_or_linked(&target);
                    (target, entered)
                }
                Err(why) => return self.refuse_link(&rel_path, why),
            },
        };
        if self.follows_links() && !self.visited.insert(rel_path.clone()) {
            return;
        }
        let Some(entered) = self.opened(&rel_path, entered) else {
            return;
        };
        if self.document(&entered, &rel_path) {
            for above in rel_path.ancestors() {
                self.bare.remove(above);
            }
            return;
        }
        if depth == 1 {
            self.bare.insert(rel_path.clone());
        }
        if depth < self.dialect.depth {
            next.push(rel_path);
        }
    }

    /// Returns whether any links are followed.
    fn follows_links(&self) -> bool {
        self.dialect.links == LinkPolicy::Inside || self.root.follows_links
    }

    /// Resolves a link to a path relative to the source's folder, or to an absolute path outside it.
    fn target(&self, rel_path: &Path) -> Result<PathBuf, &'static str> {
        if !self.follows_links() {
            return Err("is not followed");
        }
        let within = inside(self.path, rel_path);
        if self.root.follows_links {
            let target = within.or_else(|| outside(self.path, rel_path));
            target.ok_or("does not lead to a folder, or leads to one that contains the source")
        } else {
            within.ok_or("does not lead to a folder within the folder of the source")
        }
    }

    /// Creates a candidate that claims its folder's name.
    fn claim(&self, folder: &Path, name: DocText) -> DocumentCandidate {
        let id = folder.file_name().and_then(OsStr::to_str);
        DocumentCandidate {
            id: id.unwrap_or_default().to_owned().into(),
            root: self.index,
            at: Location::File {
                folder: folder.to_owned(),
                name,
            },
            doc: None,
            body_bytes: 0,
            content: ContentHashes::of(ContentHash::of(b"")),
            trusted: false,
        }
    }

    /// Unwraps the result of opening or reading a folder. On failure, the folder claims its name, because it may contain a
    /// document.
    fn opened<T>(&mut self, rel_path: &Path, result: Result<T, FolderError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            // deleted since it was listed
            Err(FolderError::Missing) => None,
            Err(why) => {
                self.refuse(rel_path, &why);
                self.claim_folder(rel_path);
                None
            }
        }
    }

    fn refuse_link(&mut self, rel_path: &Path, why: &str) {
        let message = format!("a symbolic link, which {why}");
        let help = if self.root.discovered || self.root.follows_links {
            "replace it with its target"
        } else {
            "replace it with its target, or follow the links of this source: `Source::follow_links`, or `--follow-links` of the \
             program `skills`"
        };
        let why = Diagnostic::new(DiagnosticCode::LinkRefused, Severity::Error, message);
        let why = why.with_path(self.display_path(rel_path)).help(help);
        self.scanned.diagnostics.push(why);
        self.claim_folder(rel_path);
    }

    fn claim_folder(&mut self, rel_path: &Path) {
        if !rel_path.as_os_str().is_empty() {
            let claim = self.claim(rel_path, DocText::default());
            self.scanned.found.push(claim);
        }
    }

    fn refuse(&mut self, rel_path: &Path, why: &FolderError) {
        let message = format!("it cannot be read: {why}");
        self.report(rel_path, why.code(), Severity::Error, message);
    }

    /// Returns whether a folder name is valid as the last component of a path. The check of a document's name is stricter.
    fn is_named_well(&mut self, rel_path: &Path, name: &OsStr) -> bool {
        let bad = bad_folder_name(name);
        let bad = bad.map(|why| why.with_path(self.display_path(rel_path)));
        let is_good = bad.is_none();
        self.scanned.diagnostics.extend(bad);
        is_good
    }

    /// Reports a source whose folder is itself a document, although the source should be the parent folder.
    fn report_document_at_the_top(&mut self, top: &Folder) {
        let Ok(items) = top.items(self.dialect.limits.entries) else {
            return;
        };
        let names = self.dialect.file_names;
        let is_document = |item: &FolderItem| {
            item.kind == ItemKind::File && names.iter().any(|name| item.name == *name)
        };
        let Some(file) = items.iter().find(|item| is_document(item)) else {
            return;
        };
        let file = file.name.to_string_lossy();
        let message = format!(
            "the `{file}` in the folder of the source `{}` is not read: a source is the folder above those of its documents",
            self.root.name
        );
        let path = self.path.join(&*file).display().to_string();
        let why = Diagnostic::new(DiagnosticCode::SourceIsDocument, Severity::Error, message);
        let why = why.with_path(path);
        let above = above(self.path);
        let help = format!("name `{above}` instead, or move the document into a folder of its own");
        self.scanned.diagnostics.push(why.help(help));
    }

    /// Reports a text file with frontmatter next to the documents' folders, where other programs store commands.
    fn report_misplaced(&mut self, top: &Folder, file: &OsStr) {
        let name = file.to_str().and_then(|file| file.strip_suffix(".md"));
        let Some(name) = name.filter(|_| self.dialect.missing != Enforcement::Ignore) else {
            return;
        };
        // a file at the top with the name of a document is reported for the whole source instead
        let known = self.dialect.file_names;
        if known.iter().any(|known| file.eq_ignore_ascii_case(known)) {
            return;
        }
        let read = top.file(file, self.dialect.limits.file, self.root.hard_links());
        if !read.is_ok_and(|bytes| bytes.starts_with(b"---")) {
            return;
        }
        let document = known.first().copied().unwrap_or_default();
        let message = format!("`{name}.md` is not read: a document is `{name}/{document}`");
        let code = DiagnosticCode::MisplacedDocument;
        self.report(Path::new(file), code, Severity::Warning, message);
    }

    fn report_bare(&mut self) {
        let files = self.dialect.file_names.join("` or `");
        if self.dialect.missing == Enforcement::Ignore {
            return;
        }
        for rel_path in std::mem::take(&mut self.bare) {
            let message = format!("the folder has no `{files}`");
            self.report(
                &rel_path,
                DiagnosticCode::MissingSkillMd,
                Severity::Warning,
                message,
            );
        }
    }

    fn report(
        &mut self,
        rel_path: &Path,
        code: DiagnosticCode,
        severity: Severity,
        message: String,
    ) {
        let path = self.display_path(rel_path);
        let why = Diagnostic::new(code, severity, message).with_path(path);
        self.scanned.diagnostics.push(why);
    }

    fn display_path(&self, rel_path: &Path) -> String {
        if rel_path.as_os_str().is_empty() {
            self.path.display().to_string()
        } else {
            self.path.join(rel_path).display().to_string()
        }
    }
}

/// Returns the path of the folder above a folder, for messages.
pub(crate) fn above(folder: &Path) -> String {
    let above = folder.parent();
    let above = above.filter(|above| !above.as_os_str().is_empty());
    above.map_or_else(|| "..".to_owned(), |above| above.display().to_string())
}

/// Returns the problem with a folder name that is not valid as the last component of a path.
pub(crate) fn bad_folder_name(name: &OsStr) -> Option<Diagnostic> {
    if name.to_str().is_some_and(|name| !name.contains('\\')) {
        return None;
    }
    let message = format!("{name:?} is not a valid folder name");
    let why = Diagnostic::new(DiagnosticCode::InvalidName, Severity::Error, message);
    Some(why.help("name the folder in UTF-8, without `\\`"))
}
