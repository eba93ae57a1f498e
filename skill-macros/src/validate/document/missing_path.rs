//! Analyzes a path at which there is no file: finds out where it points, and looks for a similar path to an existing file.

use crate::messages::{self, MissingPath};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Describes a missing path for its message.
pub(super) fn missing_path(
    written: &Path,
    source: &Path,
    target: &Path,
    root: Option<&Path>,
) -> MissingPath {
    let is_relative = written.is_relative();
    let in_package = root.and_then(|root| from_root(target, root));
    let suggestion = root.filter(|_| is_relative);
    let suggestion = suggestion.and_then(|root| from_package(written, source, root));
    MissingPath {
        is_relative,
        in_package,
        suggestion: suggestion.or_else(|| similar(written, target)),
    }
}

/// Returns the path relative to the package root, without dots. Returns `None` for a path outside the package, because a message
/// must not show paths on the user's machine.
fn from_root(target: &Path, root: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in target.strip_prefix(root).ok()?.components() {
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

/// Returns the path as written, with its first missing name replaced by a similar existing name.
fn similar(written: &Path, target: &Path) -> Option<String> {
    let whole: Vec<Component<'_>> = target.components().collect();
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
    let suggestion: PathBuf = whole[..missing].iter().collect::<PathBuf>().join(name);
    let suggestion = rest.fold(suggestion, |path, part| path.join(part));
    let suggestion = suggestion.exists().then(|| parts.join("/"))?;
    Some(suggestion.replacen("//", "/", 1))
}

/// The maximum number of names in a folder to compare.
const NAMES: usize = 1_000;

/// Returns the correct relative path for a path that was written relative to the package root.
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
    fn a_path_from_the_package_root_is_made_relative_to_the_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let written = Path::new("src/lib.rs");
        let suggestion = |source: &str| from_package(written, &root.join(source), root);
        assert_eq!(
            suggestion("src/parse/mod.rs").as_deref(),
            Some("../../src/lib.rs")
        );
        assert_eq!(suggestion("build.rs").as_deref(), Some("src/lib.rs"));
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
    fn only_paths_inside_the_package_are_shown() {
        let root = Path::new("/home/ada/app");
        let in_package = |target: &str| from_root(Path::new(target), root);
        assert_eq!(
            in_package("/home/ada/app/src/../skills/./plan/SKILL.md").as_deref(),
            Some("skills/plan/SKILL.md")
        );
        assert_eq!(in_package("/home/ada/app/src/../../other/SKILL.md"), None);
        assert_eq!(in_package("/home/ada/other/SKILL.md"), None);
    }

    #[test]
    fn the_first_missing_name_is_compared_with_the_names_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("skills/review")).unwrap();
        fs::write(root.join("skills/review/SKILL.md"), "").unwrap();
        let similar = |written: &str| similar(Path::new(written), &root.join(written));
        let suggestion = Some("skills/review/SKILL.md".to_owned());
        assert_eq!(similar("skills/reviev/SKILL.md"), suggestion);
        assert_eq!(similar("skill/review/SKILL.md"), suggestion);
        assert_eq!(similar("skills/review/SKIL.md"), suggestion);
        assert_eq!(similar("skills/reviev/NOTES.md"), None);
        assert_eq!(similar("elsewhere/SKILL.md"), None);
        // an absolute path
        let written = root.join("skills/reviev/SKILL.md");
        assert_eq!(
            super::similar(&written, &written),
            root.join("skills/review/SKILL.md")
                .to_str()
                .map(str::to_owned)
        );
        let missing_path = missing_path(&written, Path::new(""), &written, Some(root));
        assert!(!missing_path.is_relative);
    }
}
