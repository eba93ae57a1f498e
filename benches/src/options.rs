//! The command line.

use crate::{calls, compile, durable};
use std::path::{Path, PathBuf};

pub const USAGE: &str = "\
usage: skill-benches COMMAND [OPTIONS]

commands
  calls      measure calls, in nanoseconds and allocations
  durable    measure calls and starts with a store, on disk
  compile    measure rustc on the same tools, and on agents of many skills
  all        all three, as Markdown for RESULTS.md
  write      regenerate src/tools from src/source.rs

options
  --json              print one line of JSON for each figure
  --quick             run a few rounds of the smaller sizes
  --rounds N          run N rounds of everything
  --only PART,PART    run only these parts
                        calls:   by-name typed batch lists first-use routing served chat mcp documents
                                 selection
                        durable: commits agents chain answers recovery read-back
                        compile: actions skills binary cold
  --documents FOLDER  calls: also measure every SKILL.md below the folder
  --folder FOLDER     durable: put the files of the stores there; the folder for temporary files is the default
  --snapshot-mib N    durable: recover a snapshot of N MiB, at most 1024; the default is 64
  --offline           compile: run cargo offline";

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub command: String,
    pub is_json: bool,
    pub is_quick: bool,
    pub is_offline: bool,
    /// The texts of the documents below the `--documents` folder.
    pub documents: Vec<String>,
    /// The folder for the files of stores.
    pub folder: Option<PathBuf>,
    snapshot_mib: Option<usize>,
    rounds: Option<usize>,
    only: Vec<String>,
    /// Arguments of the hidden command `first-use`.
    pub rest: Vec<String>,
}

impl Options {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            command: arguments.next().ok_or("a command is missing")?,
            ..Self::default()
        };
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or(format!("`{argument}` needs a value"))
            };
            match argument.as_str() {
                "--json" => options.is_json = true,
                "--quick" => options.is_quick = true,
                "--offline" => options.is_offline = true,
                "--documents" => options.documents = documents(&value()?)?,
                "--folder" => options.folder = Some(folder(&value()?)?),
                "--snapshot-mib" => {
                    let size = value()?.parse().ok();
                    let size = size.filter(|size| (1..=1024).contains(size));
                    options.snapshot_mib =
                        Some(size.ok_or("`--snapshot-mib` needs a number from 1 to 1024")?);
                }
                "--rounds" => {
                    let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                    options.rounds = Some(rounds.ok_or("`--rounds` needs a number of at least 1")?);
                }
                "--only" => {
                    for part in value()?.split(',') {
                        options.add_part(part)?;
                    }
                }
                _ if argument.starts_with('-') => {
                    return Err(format!("there is no option `{argument}`"));
                }
                _ if options.command == "first-use" => options.rest.push(argument),
                _ => return Err(format!("unexpected argument `{argument}`")),
            }
        }
        Ok(options)
    }

    fn add_part(&mut self, part: &str) -> Result<(), String> {
        let Some(command) = command_of(part) else {
            return Err(format!("there is no part `{part}`"));
        };
        if self.command != "all" && self.command != command {
            return Err(format!("`{part}` is a part of `{command}`"));
        }
        self.only.push(part.to_owned());
        Ok(())
    }

    /// Returns the command line of this run.
    pub fn repeat(&self) -> String {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        format!(
            "cargo run --release --manifest-path benches/Cargo.toml -- {}",
            arguments.join(" ")
        )
    }

    /// Returns the size of the snapshot to recover, in MiB.
    pub fn snapshot_mib(&self) -> usize {
        self.snapshot_mib.unwrap_or(64)
    }

    pub fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == part)
    }

    /// Returns the number of rounds, given the usual number.
    pub fn rounds(&self, usual: usize) -> usize {
        let quick = if self.is_quick {
            (usual / 5).max(1)
        } else {
            usual
        };
        self.rounds.unwrap_or(quick)
    }
}

/// Returns the command that a part belongs to.
fn command_of(part: &str) -> Option<&'static str> {
    let names = |parts: &[&'static str]| parts.contains(&part);
    let calls = calls::PARTS.map(|(name, _)| name);
    let durable = durable::PARTS.map(|(name, _)| name);
    let compile = compile::PARTS.map(|(name, _)| name);
    [
        ("calls", names(&calls)),
        ("durable", names(&durable)),
        ("compile", names(&compile)),
    ]
    .into_iter()
    .find_map(|(command, has_it)| has_it.then_some(command))
}

/// Returns a folder that exists.
fn folder(path: &str) -> Result<PathBuf, String> {
    match Path::new(path) {
        folder if folder.is_dir() => Ok(folder.to_owned()),
        _ => Err(format!("{path}: there is no such folder")),
    }
}

/// Returns the text of every SKILL.md below a folder, sorted.
fn documents(folder: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    collect(Path::new(folder), &mut found).map_err(|error| format!("{folder}: {error}"))?;
    if found.is_empty() {
        return Err(format!("{folder}: there is no SKILL.md below"));
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.ends_with("SKILL.md") {
            // skips files that are not UTF-8
            found.extend(std::fs::read_to_string(&path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> String {
        Options::parse(line.split(' ').map(str::to_owned)).expect_err(line)
    }

    #[test]
    fn a_wrong_command_line_is_refused() {
        assert_eq!(
            refused("calls --only actions"),
            "`actions` is a part of `compile`"
        );
        assert_eq!(
            refused("compile --only lists"),
            "`lists` is a part of `calls`"
        );
        assert_eq!(
            refused("calls --only read-back"),
            "`read-back` is a part of `durable`"
        );
        assert_eq!(
            refused("durable --folder /nowhere"),
            "/nowhere: there is no such folder"
        );
        assert_eq!(
            refused("durable --snapshot-mib 2000"),
            "`--snapshot-mib` needs a number from 1 to 1024"
        );
        assert_eq!(refused("all --only nope"), "there is no part `nope`");
        assert_eq!(refused("calls extra"), "unexpected argument `extra`");
        assert_eq!(refused("calls --jsno"), "there is no option `--jsno`");
        assert_eq!(refused("calls --rounds"), "`--rounds` needs a value");
        assert!(refused("calls --documents /nowhere").starts_with("/nowhere: "));
        let empty = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tools");
        assert_eq!(
            refused(&format!("calls --documents {empty}")),
            format!("{empty}: there is no SKILL.md below")
        );
    }

    #[test]
    fn the_command_all_accepts_the_parts_of_all_commands() {
        let line = "all --only lists,chain,cold".split(' ').map(str::to_owned);
        let options = Options::parse(line).expect("all are parts");
        assert!(
            options.wants("lists")
                && options.wants("chain")
                && options.wants("cold")
                && !options.wants("typed")
        );
    }
}
