//! A folder of documents: those of its folders, sorted by id. It obeys the table of the dialect as the loader does, which
//! looks deeper in some dialects.

use super::file::{self, Document, examine, place};
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

/// Reads every document of a folder; all mistakes of all of them are told.
pub(super) fn read(path: &Text, dialect: &Dialect, errors: &mut Errors) -> Vec<Document> {
    let found = place(path, DiagnosticCode::MissingRoot)
        .and_then(|folder| find(&path.value, &folder, dialect));
    let found = match found {
        Ok(found) => found,
        Err(message) => {
            errors.tell_at(message, path.span);
            return Vec::new();
        }
    };
    let (mut documents, all) = (Vec::new(), found.len());
    for found in found {
        match found {
            Ok((written, file)) => {
                let document = examine(&written, &file, dialect);
                documents.extend(file::tell(document, path, errors));
            }
            Err(message) => errors.tell_at(message, path.span),
        }
    }
    // half a folder would be told of a second time, by what is missing
    if documents.len() < all {
        documents.clear();
    }
    let mut documents = ids_once(documents, dialect.collision, path, errors);
    documents.sort_by(|a, b| a.doc.id.cmp(&b.doc.id));
    documents
}

/// A document, by its path as the user would write it and its file; or what is wrong with a folder.
type Found = Result<(String, PathBuf), String>;

/// The documents in the folders of a folder, sorted by path. A folder without one is something else.
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
    /// As the user wrote it.
    path: &'a str,
    folder: &'a Path,
    dialect: &'a Dialect,
    /// Folders that have been entered, where links may lead to one twice.
    seen: BTreeSet<PathBuf>,
    /// By path.
    found: BTreeMap<PathBuf, Found>,
}

impl Finder<'_> {
    fn visit(&mut self, name: &OsStr, kind: FileType) {
        if !(kind.is_dir() || kind.is_symlink()) || is_skipped(name) {
            return;
        }
        let mut place = PathBuf::from(name);
        let found = match name.to_str() {
            Some(text) if !text.contains('\\') => Ok(()),
            _ => Err(messages::name_of_no_document(self.path, name)),
        };
        let found = found.and_then(|()| {
            if kind.is_symlink() {
                place = self.target(&place)?;
            }
            match self.seen.insert(place.clone()) {
                true => self.document(&place),
                false => Ok(None),
            }
        });
        if let Some(found) = found.transpose() {
            self.found.insert(place, found);
        }
    }

    /// Where a link leads, below the folder.
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
                messages::link(&shown, "leads to no folder within that of the documents")
            }),
        }
    }

    /// The document of a folder, if it has one.
    fn document(&self, place: &Path) -> Result<Option<(String, PathBuf)>, String> {
        let shown = self.shown(place);
        let inner = self.folder.join(place);
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

    /// As the user would write it; what is not seen in the names that were found is spelled out.
    fn shown(&self, place: &Path) -> String {
        let mut shown = self.path.to_owned();
        for part in place {
            shown.push('/');
            shown.push_str(&escape_invisible(&part.to_string_lossy()));
        }
        shown
    }
}

/// The name of the document among those of a folder.
fn document_in<'a>(names: &[&'a OsStr], dialect: &Dialect) -> Option<&'a str> {
    let known = dialect.file_names;
    let exact = known
        .iter()
        .find_map(|known| names.iter().find(|it| *it == known));
    let name = match exact {
        Some(name) => Some(name),
        None if dialect.file_case => None,
        None => names.iter().find(|it| is_one_of(known, it)),
    };
    name.and_then(|name| name.to_str())
}

/// A file that was meant to be the document, and how it is called.
fn misspelled_in<'a>(names: &[&'a OsStr], dialect: &Dialect) -> Option<(&'a str, &'static str)> {
    let usual = dialect.file_names.first()?;
    let name = names.iter().find(|it| is_one_of(&[usual], it))?;
    Some((name.to_str()?, usual))
}

fn is_one_of(known: &[&str], name: &OsStr) -> bool {
    known.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Folders of tools: they hold no documents of their own, and much else.
fn is_skipped(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

/// What is in a folder, sorted by name.
fn list(path: &str, folder: &Path, dialect: &Dialect) -> Result<Vec<(OsString, FileType)>, String> {
    let most = dialect.limits.entries;
    let read = || -> io::Result<Vec<_>> {
        let entries = fs::read_dir(folder)?.take(most.saturating_add(1));
        entries
            .map(|entry| entry.and_then(|it| Ok((it.file_name(), it.file_type()?))))
            .collect()
    };
    let mut entries = read().map_err(|error| messages::unreadable(path, &error))?;
    if entries.len() > most {
        return Err(messages::folder_too_large(path, most));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

/// An id is that of one document. The dialect takes the first, or none, where both are named.
fn ids_once(
    documents: Vec<Document>,
    rule: CollisionPolicy,
    path: &Text,
    errors: &mut Errors,
) -> Vec<Document> {
    let mut seen: BTreeMap<String, Document> = BTreeMap::new();
    let mut is_whole = true;
    for document in documents {
        let key = skill_manifest::__private::id_key(&document.doc.id);
        match (seen.get(&key), rule) {
            (None, _) => {
                seen.insert(key, document);
            }
            (Some(_), CollisionPolicy::First) => {}
            (Some(first), CollisionPolicy::Exclude) => {
                let ids = (&*first.doc.id, &*document.doc.id);
                let message = messages::same_id(ids.0, ids.1, &first.path, &document.path);
                errors.tell_at(message, path.span);
                is_whole = false;
            }
        }
    }
    seen.into_values().filter(|_| is_whole).collect()
}
