//! A path that leads nowhere: where it would lead, and what may have been meant.

use crate::messages::{self, MissingPath};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What is said of a path that leads nowhere.
pub(super) fn missing_path(
    written: &Path,
    source: &Path,
    place: &Path,
    root: Option<&Path>,
) -> MissingPath {
    let is_relative = written.is_relative();
    let shown = root.and_then(|root| from_root(place, root));
    let meant = root.filter(|_| is_relative);
    let meant = meant.and_then(|root| from_package(written, source, root));
    MissingPath {
        is_relative,
        place: shown,
        near: meant.or_else(|| near(written, place)),
    }
}

/// A path from the root of the package, without dots. What lies outside is the user's machine.
fn from_root(place: &Path, root: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in place.strip_prefix(root).ok()?.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::ParentDir => {
                parts.pop()?;
            }
            _ => {}
        }
    }
    Some(parts.join("/"))
}

/// The path as written, with a name that there is in place of the first that there is not.
fn near(written: &Path, place: &Path) -> Option<String> {
    let whole: Vec<Component<'_>> = place.components().collect();
    let is_there = |count: &usize| whole[..*count].iter().collect::<PathBuf>().exists();
    let missing = (1..whole.len()).rfind(is_there)?;
    let folder: PathBuf = whole[..missing].iter().collect();
    let entries = fs::read_dir(folder).ok()?.flatten().take(NAMES);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let name = messages::nearest(whole[missing].as_os_str().to_str()?, &names)?;
    let mut parts: Vec<&str> = written
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect::<Option<_>>()?;
    let index = (parts.len() + missing).checked_sub(whole.len())?;
    *parts.get_mut(index)? = name;
    let rest = whole[missing + 1..].iter();
    let meant: PathBuf = whole[..missing].iter().collect::<PathBuf>().join(name);
    let meant = rest.fold(meant, |path, part| path.join(part));
    let meant = meant.exists().then(|| parts.join("/"))?;
    Some(meant.replacen("//", "/", 1))
}

/// As many names of a folder are compared.
const NAMES: usize = 1_000;

/// The path as it would have to be written, for one that was meant from the root of the package.
fn from_package(written: &Path, source: &Path, root: &Path) -> Option<String> {
    if !root.join(written).exists() {
        return None;
    }
    let source = std::path::absolute(source).ok()?;
    let down = source
        .parent()?
        .strip_prefix(root)
        .ok()?
        .components()
        .count();
    Some("../".repeat(down) + written.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_was_meant_from_the_package_is_written_anew() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let written = Path::new("src/lib.rs");
        let meant = |source: &str| from_package(written, &root.join(source), root);
        assert_eq!(
            meant("src/parse/mod.rs").as_deref(),
            Some("../../src/lib.rs")
        );
        assert_eq!(meant("build.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(
            from_package(Path::new("src/nothing.rs"), &root.join("build.rs"), root),
            None
        );
        assert_eq!(
            from_package(written, Path::new("/elsewhere/lib.rs"), root),
            None
        );
    }

    #[test]
    fn a_place_is_told_from_the_root_of_the_package_and_never_from_that_of_the_machine() {
        let root = Path::new("/home/ada/app");
        let told = |place: &str| from_root(Path::new(place), root);
        assert_eq!(
            told("/home/ada/app/src/../skills/./plan/SKILL.md").as_deref(),
            Some("skills/plan/SKILL.md")
        );
        assert_eq!(told("/home/ada/app/src/../../other/SKILL.md"), None);
        assert_eq!(told("/home/ada/other/SKILL.md"), None);
    }

    #[test]
    fn the_first_name_that_is_missing_is_compared_with_those_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("skills/review")).unwrap();
        fs::write(root.join("skills/review/SKILL.md"), "").unwrap();
        let near = |written: &str| near(Path::new(written), &root.join(written));
        let meant = Some("skills/review/SKILL.md".to_owned());
        assert_eq!(near("skills/reviev/SKILL.md"), meant);
        assert_eq!(near("skill/review/SKILL.md"), meant);
        assert_eq!(near("skills/review/SKIL.md"), meant);
        assert_eq!(near("skills/reviev/NOTES.md"), None);
        assert_eq!(near("elsewhere/SKILL.md"), None);
        // the whole path is written
        let written = root.join("skills/reviev/SKILL.md");
        assert_eq!(
            super::near(&written, &written),
            root.join("skills/review/SKILL.md")
                .to_str()
                .map(str::to_owned)
        );
        let missing_path = missing_path(&written, Path::new(""), &written, Some(root));
        assert!(!missing_path.is_relative);
    }
}
