//! Finds the documents in a folder's subfolders, sorted by id. The same rules of the dialect apply as in the loader, but only the
//! loader looks into deeper folders, for dialects that allow this.

use super::file::{self, Document, examine, resolve};
use crate::errors::Errors;
use crate::messages;
use crate::parse::values::Text;
use skill_manifest::__private::escape_invisible;
use skill_manifest::{CollisionPolicy, DiagnosticCode, Dialect, LinkPolicy};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// Reads all documents in a folder, and reports all their mistakes.
pub(super) fn read(path: &Text, dialect: &Dialect, errors: &mut Errors) -> Vec<Document> {
    let found = resolve(path, DiagnosticCode::MissingRoot)
        .map_err(|message| pattern(&path.value).unwrap_or(message))
        .and_then(|folder| find(&path.value, &folder, dialect));
    let found = match found {
        Ok(found) => found,
        Err(message) => {
            errors.report_at(message, path.span);
            return Vec::new();
        }
    };
    let (mut documents, all) = (Vec::new(), found.len());
    for found in found {
        match found {
            Ok((written, file)) => {
                let document = examine(&written, &file, dialect);
                documents.extend(file::report(document, path, errors));
            }
            Err(message) => errors.report_at(message, path.span),
        }
    }
    // otherwise the toolsets of the missing documents would also be reported
    if documents.len() < all {
        documents.clear();
    }
    let mut documents = ids_once(documents, dialect.collision, path, errors);
    documents.sort_by(|a, b| a.doc.id.cmp(&b.doc.id));
    documents
}

/// Returns the message for a missing path that is a pattern of files.
fn pattern(path: &str) -> Option<String> {
    let is_pattern = |part: &str| part.contains(['*', '?']);
    let folders = path.split('/').take_while(|part| !is_pattern(part));
    let folder = folders.collect::<Vec<_>>().join("/");
    is_pattern(path).then(|| messages::pattern_for_folder(&folder))
}

/// A document's path as the user would write it and its absolute path, or the error message for a folder.
type Found = Result<(String, PathBuf), String>;

/// Finds the documents in a folder's subfolders, sorted by path. Ignores folders without a document.
fn find(path: &str, folder: &Path, dialect: &Dialect) -> Result<Vec<Found>, String> {
    let [usual, ..] = dialect.file_names else {
        return Ok(Vec::new());
    };
    if !folder.is_dir() {
        return Err(messages::file_for_folder(path));
    }
    let path = path.trim_end_matches('/');
    let entries = list(path, folder, dialect)?;
    let mut finder = Finder {
        path,
        folder,
        dialect,
        seen: BTreeSet::from([PathBuf::new()]),
        found: BTreeMap::new(),
    };
    for (name, kind) in &entries {
        finder.visit(name, *kind);
    }
    if finder.found.is_empty() {
        let names: Vec<&OsStr> = entries.iter().map(|(name, _)| &**name).collect();
        let file = document_in(&names, dialect);
        return Err(match file {
            Some(file) => messages::folder_of_one(path, file),
            None => messages::folder_of_none(path, usual),
        });
    }
    Ok(finder.found.into_values().collect())
}

struct Finder<'a> {
    /// The folder's path as the user wrote it.
    path: &'a str,
    folder: &'a Path,
    dialect: &'a Dialect,
    /// The visited folders, because two links may point to the same folder.
    seen: BTreeSet<PathBuf>,
    /// The results, keyed by path.
    found: BTreeMap<PathBuf, Found>,
}

impl Finder<'_> {
    fn visit(&mut self, name: &OsStr, kind: FileType) {
        if !(kind.is_dir() || kind.is_symlink()) || is_skipped(name) {
            return;
        }
        let mut relative = PathBuf::from(name);
        let found = match name.to_str() {
            Some(text) if !text.contains('\\') => Ok(()),
            _ => Err(messages::name_of_no_document(self.path, name)),
        };
        let found = found.and_then(|()| {
            if kind.is_symlink() {
                relative = self.target(&relative)?;
            }
            if self.seen.insert(relative.clone()) {
                self.document(&relative)
            } else {
                Ok(None)
            }
        });
        if let Some(found) = found.transpose() {
            self.found.insert(relative, found);
        }
    }

    /// Resolves a link to a path relative to the documents' folder.
    fn target(&self, link: &Path) -> Result<PathBuf, String> {
        let shown = self.shown(link);
        let inside = || {
            let root = self.folder.canonicalize().ok()?;
            let target = root.join(link).canonicalize().ok()?;
            let below = target.strip_prefix(&root).ok()?.to_owned();
            target.is_dir().then_some(below)
        };
        match self.dialect.links {
            LinkPolicy::Refuse => Err(messages::link(&shown, "is not followed")),
            LinkPolicy::Inside => inside().ok_or_else(|| {
                messages::link(
                    &shown,
                    "does not lead to a folder inside the folder of the documents",
                )
            }),
        }
    }

    /// Returns a folder's document.
    fn document(&self, relative: &Path) -> Result<Option<(String, PathBuf)>, String> {
        let shown = self.shown(relative);
        let inner = self.folder.join(relative);
        let files = list(&shown, &inner, self.dialect)?;
        let names: Vec<&OsStr> = files.iter().map(|(name, _)| &**name).collect();
        let Some(file) = document_in(&names, self.dialect) else {
            return match misspelled_in(&names, self.dialect) {
                Some((file, usual)) => {
                    let path = format!("{shown}/{file}");
                    Err(messages::misspelled_file(&path, usual))
                }
                None => Ok(None),
            };
        };
        let written = format!("{shown}/{file}");
        let kind = files.iter().find(|(name, _)| name == file);
        match kind {
            Some((_, kind)) if kind.is_symlink() => {
                Err(messages::link(&written, "is not followed"))
            }
            _ => Ok(Some((written, inner.join(file)))),
        }
    }

    /// Returns a path as the user would write it. Invisible characters in found names are escaped.
    fn shown(&self, relative: &Path) -> String {
        let mut shown = self.path.to_owned();
        for part in relative {
            shown.push('/');
            shown.push_str(&escape_invisible(&part.to_string_lossy()));
        }
        shown
    }
}

/// Returns the name of the document among a folder's files.
fn document_in<'a>(names: &[&'a OsStr], dialect: &Dialect) -> Option<&'a str> {
    let known = dialect.file_names;
    let exact = known
        .iter()
        .find_map(|known| names.iter().find(|name| *name == known));
    let name = match exact {
        Some(name) => Some(name),
        None if dialect.file_case => None,
        None => names.iter().find(|name| is_one_of(known, name)),
    };
    name.and_then(|name| name.to_str())
}

/// Returns a file whose name differs from a document's name only in case, together with the correct name.
fn misspelled_in<'a>(names: &[&'a OsStr], dialect: &Dialect) -> Option<(&'a str, &'static str)> {
    let usual = dialect.file_names.first()?;
    let name = names.iter().find(|name| is_one_of(&[usual], name))?;
    Some((name.to_str()?, usual))
}

fn is_one_of(known: &[&str], name: &OsStr) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether a folder belongs to a tool. Such folders are large and contain no documents of the project.
fn is_skipped(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

/// Returns a folder's entries, sorted by name.
fn list(path: &str, folder: &Path, dialect: &Dialect) -> Result<Vec<(OsString, FileType)>, String> {
    let most = dialect.limits.entries;
    let read = || -> io::Result<Vec<_>> {
        let entries = fs::read_dir(folder)?.take(most.saturating_add(1));
        entries
            .map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))))
            .collect()
    };
    let mut entries = read().map_err(|error| messages::unreadable(path, &error))?;
    if entries.len() > most {
        return Err(messages::folder_too_large(path, most));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

/// Two documents must have different ids. If they do not, the dialect takes the first one or reports both.
fn ids_once(
    documents: Vec<Document>,
    rule: CollisionPolicy,
    path: &Text,
    errors: &mut Errors,
) -> Vec<Document> {
    let mut seen: BTreeMap<String, Document> = BTreeMap::new();
    let mut is_whole = true;
    for document in documents {
        let key = skill_manifest::__private::folded_id(&document.doc.id);
        match (seen.get(&key), rule) {
            (None, _) => {
                seen.insert(key, document);
            }
            (Some(_), CollisionPolicy::First) => {}
            (Some(first), CollisionPolicy::Exclude) => {
                let ids = (&*first.doc.id, &*document.doc.id);
                let message = messages::same_id(ids.0, ids.1, &first.path, &document.path);
                errors.report_at(message, path.span);
                is_whole = false;
            }
        }
    }
    seen.into_values().filter(|_| is_whole).collect()
}
