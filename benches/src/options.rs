//! The command line.

use crate::{calls, compile};
use std::path::Path;

pub const USAGE: &str = "\
usage: skill-benches COMMAND [OPTIONS]

commands
  calls      measure calls, in nanoseconds and allocations
  compile    measure rustc on the same tools, and on agents of many skills
  all        both, as Markdown for RESULTS.md
  write      regenerate src/tools from src/source.rs

options
  --json              print one line of JSON for each figure
  --quick             run a few rounds of the smaller sizes
  --rounds N          run N rounds of everything
  --only PART,PART    run only these parts
                        calls:   by-name typed batch lists first-use routing served documents
                        compile: actions skills binary cold
  --documents FOLDER  calls: also measure every SKILL.md below the folder
  --offline           compile: run cargo offline";

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub command: String,
    pub is_json: bool,
    pub is_quick: bool,
    pub is_offline: bool,
    /// The texts of the documents below the `--documents` folder.
    pub documents: Vec<String>,
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
        let is_of_calls = calls::PARTS.iter().any(|(name, _)| *name == part);
        let is_of_compile = compile::PARTS.iter().any(|(name, _)| *name == part);
        match &*self.command {
            "compile" if is_of_calls => Err(format!("`{part}` is a part of `calls`")),
            "calls" if is_of_compile => Err(format!("`{part}` is a part of `compile`")),
            _ if is_of_calls || is_of_compile => {
                self.only.push(part.to_owned());
                Ok(())
            }
            _ => Err(format!("there is no part `{part}`")),
        }
    }

    /// Returns the command line of this run.
    pub fn repeat(&self) -> String {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        format!(
            "cargo run --release --manifest-path benches/Cargo.toml -- {}",
            arguments.join(" ")
        )
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
    fn the_command_all_accepts_the_parts_of_both_commands() {
        let line = "all --only lists,cold".split(' ').map(str::to_owned);
        let options = Options::parse(line).expect("both are parts");
        assert!(options.wants("lists") && options.wants("cold") && !options.wants("typed"));
    }
}
