//! Lets build scripts rebuild when documents are added.

use std::fs;
use std::path::Path;

/// Tells cargo, from a `build.rs`, to rebuild when anything in a folder is changed, added or removed.
///
/// A macro can track the documents that it embedded, but not files that are added to the folder later. In `build.rs`:
///
/// ```
/// skill_manifest::track("src/skills");
/// ```
///
/// The path is relative to the package root, where cargo runs build scripts. In contrast, the path in `include_skills!` is
/// relative to a source file. The function prints `cargo:rerun-if-changed=` with the folder. Cargo compares the modification
/// times of everything in and below it. If one is newer, cargo runs the build script and recompiles the package, which runs the
/// macro again. A build script that prints such a line no longer runs when other files of the package change.
///
/// If the folder does not exist or cannot be read, cargo also shows a warning. While the folder does not exist, cargo runs the
/// build script and recompiles the package on every build, so it notices when the folder appears.
pub fn track(folder: impl AsRef<Path>) {
    for line in lines(folder.as_ref()) {
        println!("{line}");
    }
}

/// Returns the lines to print for cargo.
fn lines(folder: &Path) -> Vec<String> {
    let shown = folder.display();
    let warning = |why: &dyn std::fmt::Display| {
        // a warning must be a single line
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
    fn a_missing_folder_is_tracked_with_a_warning() {
        let lines = lines(Path::new("nowhere/skills"));
        assert_eq!(lines[0], "cargo:rerun-if-changed=nowhere/skills");
        assert!(
            lines[1].starts_with("cargo:warning=`nowhere/skills` cannot be tracked: "),
            "{lines:?}"
        );
    }

    #[test]
    fn a_file_is_tracked_with_a_warning() {
        assert_eq!(lines(Path::new("Cargo.toml")).len(), 2);
    }

    #[test]
    fn a_path_that_cargo_would_misread_is_only_a_warning() {
        for path in ["", "skills\ncargo:rustc-env=A=b"] {
            let lines = lines(Path::new(path));
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(!lines[0].contains('\n') && lines[0].starts_with("cargo:warning="));
        }
    }
}
