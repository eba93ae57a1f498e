//! For build scripts: cargo hears of new documents.

use std::fs;
use std::path::Path;

/// Tells cargo, from a `build.rs`, to build again when something in a folder changes, comes or goes.
///
/// A macro hears of the documents that it has embedded, and cannot hear of a new one in a folder that it was given. In
/// `build.rs`:
///
/// ```
/// skill_manifest::track("src/skills");
/// ```
///
/// The path is relative to the root of the package, where cargo runs build scripts; that of `include_skills!` is relative to
/// a source file. It prints `cargo:rerun-if-changed=` with the folder: cargo looks at everything in it and below, by the time of
/// its last change. When one is newer, cargo runs the build script and compiles the package again, and so the macro. Beside
/// such a line, cargo no longer runs the build script for a change of any other file of the package.
///
/// A folder that is not there or cannot be read gives a warning of cargo's too. While it is not there, cargo runs the build
/// script and compiles the package at every build, so that it is found when it comes.
pub fn track(folder: impl AsRef<Path>) {
    for line in lines(folder.as_ref()) {
        println!("{line}");
    }
}

/// What cargo is told.
fn lines(folder: &Path) -> Vec<String> {
    let shown = folder.display();
    let warning = |why: &dyn std::fmt::Display| {
        // a warning is one line
        let text = format!("`{shown}` cannot be tracked: {why}");
        format!("cargo:warning={}", text.replace(['\n', '\r'], " "))
    };
    match folder.to_str() {
        Some(path) if !path.is_empty() && !path.contains(['\n', '\r']) => {
            let mut lines = vec![format!("cargo:rerun-if-changed={path}")];
            lines.extend(fs::read_dir(folder).err().map(|error| warning(&error)));
            lines
        }
        _ => vec![warning(&"cargo takes paths that are one line of text")],
    }
}

#[cfg(test)]
mod tests {
    use super::lines;
    use std::path::Path;

    #[test]
    fn a_folder_is_one_line() {
        assert_eq!(lines(Path::new("src")), ["cargo:rerun-if-changed=src"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_looked_for_and_warned_of() {
        let lines = lines(Path::new("nowhere/skills"));
        assert_eq!(lines[0], "cargo:rerun-if-changed=nowhere/skills");
        assert!(
            lines[1].starts_with("cargo:warning=`nowhere/skills` cannot be tracked: "),
            "{lines:?}"
        );
    }

    #[test]
    fn a_file_is_no_folder() {
        assert_eq!(lines(Path::new("Cargo.toml")).len(), 2);
    }

    #[test]
    fn a_path_that_cargo_would_misread_is_warned_of_alone() {
        for path in ["", "skills\ncargo:rustc-env=A=b"] {
            let lines = lines(Path::new(path));
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(!lines[0].contains('\n') && lines[0].starts_with("cargo:warning="));
        }
    }
}
