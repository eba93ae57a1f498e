//! What was asked for on the command line.

pub const USAGE: &str = "\
usage: skill-benches COMMAND [OPTIONS]

commands
  calls      what calls cost, in nanoseconds and allocations
  compile    what rustc takes for the same tools, and for agents of many skills
  all        both; as Markdown, as it stands in RESULTS.md
  write      writes src/tools anew from src/source.rs

options
  --json              one line of JSON for each figure
  --quick             a few rounds of the smaller sizes
  --rounds N          so many rounds of everything
  --only PART,PART    only these parts
                        calls:   by-name typed batch lists first-use routing served documents
                        compile: actions skills binary cold
  --documents FOLDER  calls: every SKILL.md below it as well
  --offline           compile: cargo asks no registry";

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub command: String,
    pub is_json: bool,
    pub is_quick: bool,
    pub is_offline: bool,
    pub documents: Option<String>,
    rounds: Option<usize>,
    only: Vec<String>,
    /// What stands after the command, for commands of our own.
    pub rest: Vec<String>,
}

/// The parts of both commands.
const PARTS: [&str; 12] = [
    "by-name",
    "typed",
    "batch",
    "lists",
    "first-use",
    "routing",
    "served",
    "documents",
    "actions",
    "skills",
    "binary",
    "cold",
];

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
                "--documents" => options.documents = Some(value()?),
                "--rounds" => {
                    let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                    options.rounds = Some(rounds.ok_or("`--rounds` takes a number from 1 on")?);
                }
                "--only" => {
                    for part in value()?.split(',') {
                        if !PARTS.contains(&part) {
                            return Err(format!("there is no part `{part}`"));
                        }
                        options.only.push(part.to_owned());
                    }
                }
                _ if argument.starts_with('-') => {
                    return Err(format!("there is no option `{argument}`"));
                }
                _ => options.rest.push(argument),
            }
        }
        Ok(options)
    }

    /// The command line that measures the same again.
    pub fn repeat(&self) -> String {
        let arguments: Vec<_> = std::env::args().skip(1).collect();
        format!(
            "cargo run --release --manifest-path benches/Cargo.toml -- {}",
            arguments.join(" ")
        )
    }

    pub fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|it| it == part)
    }

    /// How many rounds, where so many are usual.
    pub fn rounds(&self, usual: usize) -> usize {
        let quick = if self.is_quick {
            (usual / 5).max(1)
        } else {
            usual
        };
        self.rounds.unwrap_or(quick)
    }
}
