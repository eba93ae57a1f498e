//! Serves an agent: signals in as JSON lines, answers and emitted signals out as JSON lines.
//!
//! ```text
//! $ cargo run -p skill-examples --example served_agent -- --store desk.redb --tick 1s
//! {"type":"calculate","data":{"op":"add","a":1,"b":2},"id":"1"}
//! {"answer":3.0,"id":"1"}
//! ```

use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::ErrorPolicy;
use skill_agent::store::{Redb, StoreError};
use skill_agent::{StartError, StateError, StopReason};
use skill_examples::lines::{Closed, Line, Output, read_lines, read_signal};
use skill_examples::mountable::{Arithmetic, Counter, HttpClient};
use skill_examples::ticker::{Ticker, TickerConfig};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinError;

const USAGE: &str = "\
Serves an agent that calculates, counts, asks for pages and ticks. Reads signals from
standard input, and answers on standard output: one JSON object a line, both ways.

Usage: served_agent [--store FILE] [--tick PERIOD]

  --store FILE    store the agent in FILE; the next run continues from it, even after a crash
  --tick PERIOD   how often a child of the agent ticks: `500ms`, `1s`, `2m`
  -h, --help      print this

A signal is a CloudEvents object; `specversion`, `id` and `source` may be left out. With both an
id and a source it is handled once; repeats get the first response.

  in    {\"type\":\"calculate\",\"data\":{\"op\":\"divide\",\"a\":1,\"b\":4},\"id\":\"1\"}
  in    {\"type\":\"increment\"}   {\"type\":\"get_count\"}
  in    {\"type\":\"http_client.get\",\"data\":{\"url\":\"https://a.example\"}}   {\"type\":\"ticker.tick\"}
  out   {\"answer\":0.25,\"id\":\"1\"}   for each line, in order; `id` is null where there was none
  out   {\"error\":\"line 2, column 8: ...\",\"id\":null}
  out   {\"specversion\":\"1.0\",\"type\":\"ticker.ticked\",...}   what the agent emits, at any time

End of input or Ctrl-C stops the program after it has answered the lines already read; a second
Ctrl-C stops it at once. Exit code: 0, or 1 if it ended otherwise, or 2 if it did not start;
standard error says why.";

/// How long the last lines may take to be read after everything else has ended.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

agent! {
    /// Calculates, counts and ticks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Desk {
        name: "desk",
        version: "0.1.0",
        skills: [Arithmetic, Counter, HttpClient, Ticker],
    }
}

fn main() -> ExitCode {
    let Err(failure) = run(std::env::args_os().skip(1)) else {
        return ExitCode::SUCCESS;
    };
    // An error of this write cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "served_agent: {}", full_text(&failure));
    ExitCode::from(failure.exit_code())
}

/// Runs the program; `main` maps the result to an exit code.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let Some(options) = Options::parse(arguments)? else {
        return writeln!(io::stdout(), "{USAGE}").map_err(Failure::Output);
    };
    // one thread: the server is one task, and blocking work has its own threads
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .map_err(Failure::Runtime)?
        .block_on(program(options))
}

async fn program(options: Options) -> Result<(), Failure> {
    let output = Output::new(io::stdout());
    let agent = Desk::builder()
        .id("desk")
        .config::<Ticker>(options.ticker)
        .build()?;
    let mut builder = AgentServer::builder(agent)
        .signal_sink(output.clone())
        .error_policy(ErrorPolicy::Emit);
    if let Some(file) = options.store {
        builder = builder.store(Redb::open(file)?);
    }
    let server = builder.start().await?;
    let found = server.recovery();
    if found.is_restored {
        eprintln!(
            "served_agent: restored; pending directives: {}",
            found.directives
        );
    } else {
        eprintln!("served_agent: started");
    }

    // A blocking read cannot be cancelled; in a thread of its own it does not keep the program from ending.
    let (taken, lines) = mpsc::channel(1);
    thread::spawn(move || read_lines(io::stdin().lock(), &taken));
    // A task of its own runs before the signal sink: the response to a line comes before the signals that the line caused.
    let serving = tokio::spawn(serve(server.clone(), output.clone(), lines));
    let served = tokio::select! {
        biased; // registers for Ctrl-C before the first response
        failure = interrupted(&server) => Err(failure),
        served = serving => served.map_err(Failure::Lost).flatten(),
    };
    // also after a failure, to stop the children and close the store
    let stopped = server.stop().await.map(drop).map_err(Failure::Stopped);
    match output.failure() {
        Some(error) => Err(Failure::Output(error)),
        None => served.and(stopped),
    }
}

/// Responds to one line after another, until the input ends or the server has stopped.
async fn serve(
    server: AgentServer<Desk>,
    output: Output,
    mut lines: Receiver<io::Result<Line>>,
) -> Result<(), Failure> {
    for number in 1.. {
        let line = tokio::select! {
            biased;
            _ = server.closed() => return Ok(()),
            () = output.closed() => return Err(Closed.into()),
            line = lines.recv() => line,
        };
        let Some(line) = line.transpose().map_err(Failure::Input)? else {
            break;
        };
        if let Some(answer) = answer(&server, number, &line).await {
            output.write(&answer).await?;
        }
    }
    Ok(())
}

/// The texts of an error and its causes.
fn full_text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // some errors of skills print their cause themselves
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// The response to a line; none to a blank line.
async fn answer(server: &AgentServer<Desk>, number: u64, line: &Line) -> Option<Value> {
    let signal = match read_signal(number, line) {
        Ok(signal) => signal?,
        Err(error) => return Some(json!({ "error": error.to_string(), "id": null })),
    };
    let id = signal.id().map(str::to_owned);
    Some(match server.request(signal).await {
        Ok(answer) => json!({ "answer": answer, "id": id }),
        Err(error) => json!({ "error": full_text(&error), "id": id }),
    })
}

/// Stops the server on Ctrl-C, and returns only if the last lines are not read in time.
async fn interrupted(server: &AgentServer<Desk>) -> Failure {
    let stopping = async {
        tokio::signal::ctrl_c().await?;
        tokio::select! {
            _ = server.stop() => {}
            again = tokio::signal::ctrl_c() => {
                again?;
                server.kill();
            }
        }
        tokio::time::sleep(DRAIN_TIMEOUT).await;
        Ok(())
    };
    match stopping.await {
        Ok(()) => Failure::Unread,
        Err(error) => Failure::Runtime(error),
    }
}

/// The options of the command line.
#[derive(Default)]
struct Options {
    store: Option<PathBuf>,
    ticker: TickerConfig,
}

impl Options {
    /// Parses the arguments; `None` asks for help.
    fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, Failure> {
        let mut arguments = arguments.into_iter();
        let (mut store, mut period) = (None, None);
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("-h" | "--help") => return Ok(None),
                Some(flag @ "--store") => set(&mut store, flag, "a file", arguments.next())?,
                Some(flag @ "--tick") => set(&mut period, flag, "a period", arguments.next())?,
                _ => {
                    let argument = argument.display();
                    return Err(Failure::usage(format!("unexpected argument `{argument}`")));
                }
            }
        }
        Ok(Some(Self {
            store: store.map(PathBuf::from),
            ticker: match period {
                Some(period) => TickerConfig {
                    period_ms: milliseconds(&period.to_string_lossy())?,
                },
                None => TickerConfig::default(),
            },
        }))
    }
}

fn set(
    option: &mut Option<OsString>,
    flag: &str,
    what: &str,
    value: Option<OsString>,
) -> Result<(), Failure> {
    let value = value.ok_or_else(|| Failure::usage(format!("`{flag}` needs {what}")))?;
    match option.replace(value) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format!("`{flag}` is given twice"))),
    }
}

/// `500ms`, `1s` or `2m`.
fn milliseconds(period: &str) -> Result<u64, Failure> {
    let (count, unit) = period.split_at(period.trim_end_matches(char::is_alphabetic).len());
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        _ => 0,
    };
    let milliseconds = count
        .parse()
        .ok()
        .and_then(|count: u64| count.checked_mul(factor));
    match milliseconds {
        None | Some(0) => Err(Failure::usage(format!(
            "`{period}` is not a period; write one like `500ms`, `1s` or `2m`"
        ))),
        Some(milliseconds) => Ok(milliseconds),
    }
}

/// Why the program did not start, or ended with an error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}\nTry `--help`.")]
    Usage(String),
    #[error(transparent)]
    Config(#[from] StateError),
    #[error(transparent)]
    Open(#[from] StoreError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("cannot use the runtime or signals: {0}")]
    Runtime(io::Error),
    #[error("cannot read: {0}")]
    Input(io::Error),
    #[error("cannot write: {0}")]
    Output(io::Error),
    #[error(transparent)]
    Closed(#[from] Closed),
    #[error(transparent)]
    Stopped(StopReason),
    #[error(transparent)]
    Lost(JoinError),
    #[error("nobody read the last lines")]
    Unread,
}

impl Failure {
    fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(problem.into())
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Config(_) | Self::Open(_) | Self::Start(_) => 2,
            _ => 1,
        }
    }
}
