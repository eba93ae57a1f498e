//! Reads a chat completion, executes its tool calls, and prints the messages to send back.
//!
//! ```text
//! cargo run -p skill-examples --example tool_calls                          # the two completions that ship with it
//! cargo run -p skill-examples --example tool_calls -- response.json --state # one of your own
//! cargo run -p skill-examples --example tool_calls -- --replay scenarios.json
//! ```

use serde_json::Value;
use skill_agent::Agent;
use skill_agent::StateError;
use skill_examples::Workbench;
use skill_examples::completion::{ToolCalls, ToolCallsError};
use skill_examples::replay::{Report, scenarios};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Executes the tool calls of a chat completion on an agent with five skills, and prints
the messages to send back.

Usage: tool_calls [--state] [--load STATE] [COMPLETION]
       tool_calls --replay SCENARIOS

  COMPLETION           a response of OpenAI or Anthropic, or its message; `-` reads standard
                       input; the default is the two completions that ship with the example
  --state              also print the state of the agent afterwards
  --load STATE         start from a state that `--state` printed
  --replay SCENARIOS   replay recorded conversations, and compare answers and final states
  -h, --help           print this

All output is JSON, except for the table of --replay.
Exit code: 0, or 1 if a replay differs, or 2 after an error.";

/// A completion in each format, used when no file is given.
const SHIPPED: [(&str, &str); 2] = [
    ("openai.json", include_str!("completions/openai.json")),
    ("anthropic.json", include_str!("completions/anthropic.json")),
];

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    match run(arguments, &mut io::stdin(), &mut io::stdout().lock()) {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::Different) => ExitCode::from(1),
        // The reader closed the pipe.
        Err(Failure::Output { error }) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // If standard error is closed too, the exit code is all that is left.
            let _ = writeln!(io::stderr(), "tool_calls: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Runs the program with the given arguments, input and output.
pub(crate) fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let verdict = match Options::parse(arguments)? {
        Options::Help => {
            writeln!(output, "{USAGE}")?;
            Verdict::Done
        }
        Options::Replay(scenarios) => replay(&scenarios, input, output)?,
        Options::Execute {
            completion,
            load,
            print_state,
        } => {
            let agent = match load {
                Some(state) => loaded(&state, input)?,
                None => Workbench::new(),
            };
            match completion {
                Some(source) => {
                    let text = source.read(input)?;
                    execute(agent, &source.name(), &text, print_state, output)?;
                }
                None => {
                    for (name, text) in SHIPPED {
                        execute(agent.clone(), name, text, print_state, output)?;
                    }
                }
            }
            Verdict::Done
        }
    };
    output.flush()?;
    Ok(verdict)
}

/// Runs the calls of a completion and prints the messages with their results.
fn execute(
    mut agent: Workbench,
    name: &str,
    text: &str,
    print_state: bool,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let calls = ToolCalls::read(text).map_err(|error| Failure::Completion {
        name: name.to_owned(),
        error,
    })?;
    let results = calls.execute(&mut agent);
    let messages = calls.format.messages(&results);
    let messages: Result<Vec<Value>, _> = messages
        .iter()
        .map(|text| serde_json::from_str(text))
        .collect();
    print_json(output, &messages.map_err(io::Error::from)?)?;
    if print_state {
        print_json(output, agent.state())?;
    }
    Ok(())
}

/// Replays recorded conversations and prints a report.
fn replay(
    source: &Source,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let name = source.name();
    let scenarios = match scenarios(&source.read(input)?) {
        Ok(scenarios) if scenarios.is_empty() => return Err(Failure::NoScenarios { name }),
        Ok(scenarios) => scenarios,
        Err(error) => return Err(Failure::Scenarios { name, error }),
    };
    let report = Report::of(&scenarios);
    writeln!(output, "{report}")?;
    Ok(if report.is_equal() {
        Verdict::Done
    } else {
        Verdict::Different
    })
}

fn loaded(state: &Source, input: &mut dyn Read) -> Result<Workbench, Failure> {
    Workbench::from_state_json(&state.read(input)?).map_err(|error| Failure::State {
        name: state.name(),
        error,
    })
}

fn print_json(output: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    Ok(writeln!(output, "{text}")?)
}

/// The result of a successful run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everything was done.
    Done,
    /// A replay gave different answers or final states.
    Different,
}

/// The parsed command line.
enum Options {
    Help,
    Replay(Source),
    Execute {
        completion: Option<Source>,
        load: Option<Source>,
        print_state: bool,
    },
}

impl Options {
    fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Failure> {
        let mut arguments = arguments.into_iter();
        let (mut completion, mut load, mut replay) = (None, None, None);
        let mut print_state = false;
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("-h" | "--help") => return Ok(Self::Help),
                Some("--state") => print_state = true,
                Some(flag @ "--load") => set(&mut load, flag, arguments.next())?,
                Some(flag @ "--replay") => set(&mut replay, flag, arguments.next())?,
                Some(flag) if flag.starts_with('-') && flag != "-" => {
                    return Err(Failure::usage(format!("unknown option `{flag}`")));
                }
                _ if completion.is_some() => {
                    let argument = argument.display();
                    return Err(Failure::usage(format!("unexpected argument `{argument}`")));
                }
                _ => completion = Some(Source::from(argument)),
            }
        }
        if let Some(scenarios) = replay {
            if completion.is_some() || load.is_some() || print_state {
                return Err(Failure::usage("`--replay` goes with nothing else"));
            }
            return Ok(Self::Replay(scenarios));
        }
        if let (Some(Source::Input), Some(Source::Input)) = (&completion, &load) {
            return Err(Failure::usage("standard input cannot be read twice"));
        }
        Ok(Self::Execute {
            completion,
            load,
            print_state,
        })
    }
}

fn set(option: &mut Option<Source>, flag: &str, value: Option<OsString>) -> Result<(), Failure> {
    let value = value.ok_or_else(|| Failure::usage(format!("`{flag}` needs a file")))?;
    if option.replace(Source::from(value)).is_some() {
        return Err(Failure::usage(format!("`{flag}` is given twice")));
    }
    Ok(())
}

/// A source of text.
enum Source {
    Input,
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(argument: OsString) -> Self {
        if argument == "-" {
            Self::Input
        } else {
            Self::File(argument.into())
        }
    }
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Input => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    fn read(&self, input: &mut dyn Read) -> Result<String, Failure> {
        let text = match self {
            Self::Input => io::read_to_string(input),
            Self::File(path) => std::fs::read_to_string(path),
        };
        text.map_err(|error| Failure::Input {
            name: self.name(),
            error,
        })
    }
}

/// An error of the program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}\nTry `--help`.")]
    Usage(String),
    #[error("cannot read {name}: {error}")]
    Input { name: String, error: io::Error },
    #[error("{name}: {error}")]
    Completion { name: String, error: ToolCallsError },
    #[error("{name}: not a list of scenarios: {error}")]
    Scenarios {
        name: String,
        error: serde_json::Error,
    },
    #[error("{name}: there are no scenarios in it")]
    NoScenarios { name: String },
    #[error("{name}: not a state of this agent: {error}")]
    State { name: String, error: StateError },
    #[error("cannot write: {error}")]
    Output { error: io::Error },
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output { error }
    }
}

impl Failure {
    fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(problem.into())
    }
}
