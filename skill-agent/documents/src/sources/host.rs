//! The local machine, for eligibility checks.

use skill_manifest::Host;
use std::env;
use std::path::{Path, PathBuf};

/// The local machine: its operating system, the process's environment, and the programs on its `PATH`. A catalog uses this host
/// unless you set a different [`Host`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemHost;

impl Host for SystemHost {
    fn os(&self) -> &str {
        env::consts::OS
    }

    fn has_env(&self, name: &str) -> bool {
        // such names make `var_os` panic on some systems
        let possible = !name.is_empty() && !name.contains(['=', '\0']);
        possible && env::var_os(name).is_some_and(|value| !value.is_empty())
    }

    fn has_binary(&self, name: &str) -> bool {
        // a path is not accepted as a program's name, because it would match a file in any folder
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name == "." || name == ".." {
            return false;
        }
        let Some(path) = env::var_os("PATH") else {
            return false;
        };
        let endings = endings();
        // an empty part of `PATH` means the current folder, which may contain anything
        let mut folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
        folders.any(|folder| {
            let mut files = endings
                .iter()
                .map(|ending| folder.join(format!("{name}{ending}")));
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

/// Returns the file name extensions of programs.
#[cfg(not(windows))]
fn endings() -> Vec<String> {
    vec![String::new()]
}

/// Returns the file name extensions of programs.
#[cfg(windows)]
fn endings() -> Vec<String> {
    let known = env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let known = known.split(';').filter(|ending| !ending.is_empty());
    std::iter::once(String::new())
        .chain(known.map(str::to_owned))
        .collect()
}

fn is_executable(file: &Path) -> bool {
    // follows links, like shells do
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && may_be_run(&metadata))
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
        assert!(SystemHost.has_binary("sh"));
        for name in [
            "",
            ".",
            "..",
            "/bin/sh",
            "bin/sh",
            "no-such-program-here",
            "s\0h",
        ] {
            assert!(!SystemHost.has_binary(name), "{name:?}");
        }
    }

    #[test]
    fn a_variable_with_an_impossible_name_is_not_set() {
        assert!(SystemHost.has_env("PATH"));
        for name in ["", "A=B", "A\0", "NO_SUCH_VARIABLE_HERE"] {
            assert!(!SystemHost.has_env(name), "{name:?}");
        }
    }
}
