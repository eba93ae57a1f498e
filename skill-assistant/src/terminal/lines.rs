//! Reads lines from a person or a pipe, in a thread of its own.

use super::complete::{Completion, Known};
use super::give_back;
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{QueueSelector, tcflush};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, KeyEvent, RepeatCount,
};
use std::io::{self, BufRead, ErrorKind, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::sync::oneshot;

/// The maximum number of lines in the history.
const HISTORY: usize = 1_000;

/// A line that a person typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input, such as Ctrl-D.
    End,
}

/// Whether a line belongs into the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    No,
}

/// The lines of a terminal or a pipe.
pub(crate) struct Lines {
    asks: Sender<Ask>,
    is_terminal: bool,
}

struct Ask {
    prompt: String,
    kept: Kept,
    answer: oneshot::Sender<io::Result<Line>>,
}

impl Lines {
    /// Starts the thread. `history` is the file with the lines of earlier runs.
    ///
    /// # Errors
    /// Returns an error if the terminal cannot be used.
    pub(crate) fn start(history: Option<PathBuf>, known: Arc<Mutex<Known>>) -> io::Result<Self> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (asks, asked) = channel();
        if is_terminal {
            give_back::watch()?;
            let editor = editor(known).map_err(io::Error::other)?;
            thread::spawn(move || edit(editor, history, &asked));
        } else {
            thread::spawn(move || read(&asked));
        }
        Ok(Self { asks, is_terminal })
    }

    /// Returns whether a person can see a prompt.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Forgets keys that were typed before a question.
    pub(crate) fn forget_typed(&self) {
        if self.is_terminal {
            // without it, an answer can be a key that was typed too early
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }

    /// Reads the next line.
    pub(crate) async fn next(&self, prompt: &str, kept: Kept) -> io::Result<Line> {
        let (answer, answered) = oneshot::channel();
        let ask = Ask {
            prompt: prompt.to_owned(),
            kept,
            answer,
        };
        let gone = |_| io::Error::other("the thread that reads it has failed");
        self.asks.send(ask).map_err(|_| gone(()))?;
        answered.await.map_err(|_| gone(()))?
    }
}

fn read(asked: &Receiver<Ask>) {
    let mut input = io::stdin().lock();
    for ask in asked {
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line).map(|bytes| match bytes {
            0 => Line::End,
            _ => Line::Text(String::from_utf8_lossy(&line).into_owned()),
        });
        let _ = ask.answer.send(read);
    }
}

type LineEditor = Editor<Completion, FileHistory>;

fn editor(known: Arc<Mutex<Known>>) -> rustyline::Result<LineEditor> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(HISTORY)?
        .history_ignore_space(true)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Completion(known)));
    let stop = EventHandler::Conditional(Box::new(Stop));
    editor.bind_sequence(KeyEvent::ctrl('Z'), stop);
    Ok(editor)
}

fn edit(mut editor: LineEditor, history: Option<PathBuf>, asked: &Receiver<Ask>) {
    if let Some(history) = &history {
        // the first run has none
        let _ = editor.load_history(history);
    }
    for ask in asked {
        let line = match editor.readline(&ask.prompt) {
            Ok(line) => {
                if let (Kept::Yes, Some(history)) = (ask.kept, &history) {
                    // a line that is missing from the history is no reason to stop
                    let _ = editor.add_history_entry(&line);
                    let _ = editor.append_history(history);
                }
                Ok(Line::Text(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            // bytes that are no text
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                Ok(Line::Text(String::new()))
            }
            Err(error) => Err(io::Error::other(error)),
        };
        let _ = ask.answer.send(line);
    }
}

/// Stops the program as other signals to stop do, so that one place gives the terminal back.
struct Stop;

impl ConditionalEventHandler for Stop {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        let _ = kill_current_process_group(Signal::TSTP);
        Some(Cmd::Noop)
    }
}
