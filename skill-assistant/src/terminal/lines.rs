//! Reads lines from a person or a pipe, in a thread of its own.

use super::complete::{Completion, Known};
use super::give_back;
use rustix::process::{Signal, kill_current_process_group};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, KeyEvent, RepeatCount,
};
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::sync::oneshot;

/// The maximum number of lines in the history.
const HISTORY: usize = 1_000;

/// What a person typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input, such as Ctrl-D.
    End,
}

/// The lines of a terminal or a pipe.
pub(crate) struct Lines {
    asks: Sender<Ask>,
    is_terminal: bool,
}

struct Ask {
    prompt: String,
    /// Whether the line belongs into the history.
    is_kept: bool,
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

    /// Reads the next line, and keeps it in the history.
    pub(crate) async fn next(&self, prompt: &str) -> io::Result<Line> {
        self.ask(prompt, true).await
    }

    /// Reads the answer to a question.
    pub(crate) async fn answer(&self, question: &str) -> io::Result<Line> {
        self.ask(question, false).await
    }

    async fn ask(&self, prompt: &str, is_kept: bool) -> io::Result<Line> {
        let (answer, answered) = oneshot::channel();
        let ask = Ask {
            prompt: prompt.to_owned(),
            is_kept,
            answer,
        };
        // a thread that has ended answers nothing
        let _ = self.asks.send(ask);
        answered.await.unwrap_or(Ok(Line::End))
    }
}

fn read(asked: &Receiver<Ask>) {
    let mut input = io::stdin().lock();
    for ask in asked {
        let mut line = String::new();
        let read = input.read_line(&mut line).map(|bytes| match bytes {
            0 => Line::End,
            _ => Line::Text(line),
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
                if ask.is_kept {
                    // a line that is missing from the history is no reason to stop
                    let _ = editor.add_history_entry(&line);
                    let _ = history.as_ref().map(|path| editor.append_history(path));
                }
                Ok(Line::Text(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
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
