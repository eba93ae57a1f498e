//! The machine that a program runs on, as documents ask for it.

use skill_manifest::Host;
use std::env;
use std::path::{Path, PathBuf};

/// This machine: its operating system, the environment of this process and the programs on its `PATH`. A catalog takes it
/// unless it is given another [`Host`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Host for Machine {
    fn os(&self) -> &str {
        env::consts::OS
    }

    fn has_env(&self, name: &str) -> bool {
        // such a name makes `var_os` panic on some systems
        let possible = !name.is_empty() && !name.contains(['=', '\0']);
        possible && env::var_os(name).is_some_and(|value| !value.is_empty())
    }

    fn has_binary(&self, name: &str) -> bool {
        // a path is no name: it would ask for a file of any folder
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name == "." || name == ".." {
            return false;
        }
        let Some(path) = env::var_os("PATH") else {
            return false;
        };
        let endings = endings();
        // an empty part of PATH is the current folder, whose files are nobody's promise
        let mut folders = env::split_paths(&path).filter(|it| it.is_absolute());
        folders.any(|folder| {
            let mut files = endings.iter().map(|it| folder.join(format!("{name}{it}")));
            files.any(|file| is_executable(&file))
        })
    }

    fn home(&self) -> Option<PathBuf> {
        let named = |name| env::var_os(name).filter(|value| !value.is_empty());
        named("HOME")
            .or_else(|| named("USERPROFILE"))
            .map(PathBuf::from)
    }
}

/// What the file of a program may end with.
#[cfg(not(windows))]
fn endings() -> Vec<String> {
    vec![String::new()]
}

/// What the file of a program may end with.
#[cfg(windows)]
fn endings() -> Vec<String> {
    let known = env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let known = known.split(';').filter(|it| !it.is_empty());
    std::iter::once(String::new())
        .chain(known.map(str::to_owned))
        .collect()
}

fn is_executable(file: &Path) -> bool {
    // follows links, as a shell does
    file.metadata()
        .is_ok_and(|it| it.is_file() && may_be_run(&it))
}

#[cfg(unix)]
fn may_be_run(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_be_run(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_a_name_and_not_a_path() {
        assert!(Machine.has_binary("sh"));
        for name in [
            "",
            ".",
            "..",
            "/bin/sh",
            "bin/sh",
            "no-such-program-here",
            "s\0h",
        ] {
            assert!(!Machine.has_binary(name), "{name:?}");
        }
    }

    #[test]
    fn a_variable_whose_name_cannot_be_is_not_set() {
        assert!(Machine.has_env("PATH"));
        for name in ["", "A=B", "A\0", "NO_SUCH_VARIABLE_HERE"] {
            assert!(!Machine.has_env(name), "{name:?}");
        }
    }
}
