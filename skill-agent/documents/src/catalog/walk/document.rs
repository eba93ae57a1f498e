//! Reads and checks the document in a folder.

use super::FolderWalk;
use crate::catalog::load::candidate::DocumentCandidate;
use crate::catalog::load::content_hashes::ContentHashes;
use crate::folder::{Folder, FolderError};
use crate::key::key;
use crate::{ContentHash, DocText, Severity, check_bytes};
use skill_manifest::__private::id_problem;
use std::ffi::OsStr;
use std::path::Path;

impl FolderWalk<'_> {
    /// Reads the document in a folder. Returns `false` if the folder has no document.
    pub(super) fn document(&mut self, folder: &Folder, rel_path: &Path) -> bool {
        let (max, hard_links) = (self.dialect.limits.file, self.root.hard_links());
        for name in self.dialect.file_names {
            match folder.file(OsStr::new(name), max, hard_links) {
                Err(FolderError::Missing) => {}
                read => {
                    self.take(folder, rel_path, DocText::Borrowed(name), read);
                    return true;
                }
            }
        }
        let Some(name) = self.other_case(folder, rel_path) else {
            return false;
        };
        let read = folder.file(OsStr::new(&name), max, hard_links);
        self.take(folder, rel_path, name.into(), read);
        true
    }

    /// Returns the name of a document file that differs only in case, such as `skill.md`.
    fn other_case(&mut self, folder: &Folder, rel_path: &Path) -> Option<String> {
        if self.dialect.file_case {
            return None;
        }
        let items = match folder.items(self.left) {
            // this error is reported when the folder is listed
            Err(FolderError::TooMany { .. }) => return None,
            other => self.opened(rel_path, other)?,
        };
        let names = items.iter().filter_map(|item| item.name.to_str());
        let mut names = names.filter(|name| {
            let known = self.dialect.file_names.iter();
            known
                .into_iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        });
        names.next().map(str::to_owned)
    }

    fn take(
        &mut self,
        folder: &Folder,
        rel_path: &Path,
        name: DocText,
        read: Result<Vec<u8>, FolderError>,
    ) {
        let path = rel_path.join(&*name);
        let mut found = self.claim(rel_path, name);
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(why) => {
                self.refuse(&path, &why);
                return self.scanned.found.push(found);
            }
        };
        let report = check_bytes(&self.display_path(&path), &bytes, self.dialect);
        let reported = report.diagnostics().iter().cloned();
        self.scanned.diagnostics.extend(reported);
        let claimed = report.claimed().map(str::to_owned);
        found.content = ContentHashes::of(ContentHash::of(&bytes));
        match report.into_doc() {
            Ok(mut doc) => {
                found.body_bytes = std::mem::take(&mut doc.body).len();
                found.id = doc.id.clone();
                self.look_at_scripts(folder, &path, &doc);
                found.doc = Some(doc);
                if self.root.discovered {
                    self.look_at_files(folder, &path, &mut found);
                }
            }
            Err(_) => self.claim_name(&found, claimed),
        }
        self.scanned.found.push(found);
    }

    /// Adds a candidate for the document's own name: even a document that cannot be loaded claims its name. `found` already
    /// claims the folder's name.
    fn claim_name(&mut self, found: &DocumentCandidate, name: Option<String>) {
        let other = |name: &String| id_problem(name).is_none() && key(name) != key(&found.id);
        if let Some(name) = name.filter(other) {
            self.scanned.found.push(DocumentCandidate {
                id: name.into(),
                root: found.root,
                at: found.at.clone(),
                doc: None,
                body_bytes: 0,
                content: found.content.clone(),
                trusted: false,
            });
        }
    }

    /// Hashes all files below the folder, because a person trusts a document together with its files. On failure, the document
    /// cannot be trusted.
    fn look_at_files(&mut self, folder: &Folder, path: &Path, found: &mut DocumentCandidate) {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let hashes = self.budget.hashes(folder, name, &self.dialect.limits);
        match hashes {
            Ok(files) => found.content = ContentHashes::with_files(found.content.document, files),
            Err((file, why)) => {
                found.doc = None;
                let rel_path = match file.as_str() {
                    "" => path.to_owned(),
                    file => path.with_file_name(file),
                };
                let message = format!("`{}` cannot be trusted: {why}", found.id);
                self.report(&rel_path, why.code(), Severity::Error, message);
            }
        }
    }
}
