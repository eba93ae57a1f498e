//! Runs the program in a temporary folder.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A document with a character that controls the terminal.
pub(crate) const REVIEW: &str = "---
name: review
description: Reviews a change. Twice.
license: MIT
allowed-tools: Read, Bash(git diff:*)
---
# Review

\tRead it.\u{1b}[2J
";

/// A folder with documents.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// Creates files by their paths.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(program().args(arguments).current_dir(self.path()))
    }
}

/// The program, without the environment variables of a terminal.
pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_skills"));
    program.env_remove("NO_COLOR").env_remove("TERM");
    program
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Self {
            code: status.code().expect("it ends by itself"),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Parses the lines of `--json`.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Returns the path of each line of `--json`, with the code of its first diagnostic or `ok`.
    pub(crate) fn verdicts(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let verdicts = self.lines().into_iter().map(|line| {
            let code = if line["ok"].as_bool().unwrap() {
                "ok".to_owned()
            } else {
                text(&line["diagnostics"][0]["code"])
            };
            (text(&line["path"]), code)
        });
        verdicts.collect()
    }
}

pub(crate) fn verdicts(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let list = list.iter();
    list.map(|(path, code)| {
        (
            path.replace('/', std::path::MAIN_SEPARATOR_STR),
            (*code).to_owned(),
        )
    })
    .collect()
}

/// A document that is valid in a folder with that name.
pub(crate) fn valid(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What it does.\n---\nBody\n")
}

/// Returns a file or folder of `../shared`; if it does not exist, prints why the test is skipped.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// The checkout of these tests.
pub(crate) fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}
