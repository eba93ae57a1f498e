//! The output of a command: standard output, with or without colors, and a progress line on standard error.

use crate::args::Color;
use crate::output::draw;
use crate::output::progress::Progress;
use annotate_snippets::{Level, Renderer};
use skill_agent_documents::Diagnostic;
use std::io::{self, IsTerminal, Write};

/// The terminal, file or pipe to which a command writes.
#[derive(Debug)]
pub(crate) struct Screen {
    color: Color,
    /// The renderer of diagnostics for standard output.
    pub(crate) renderer: Renderer,
    /// The progress line on standard error.
    pub(crate) progress: Progress,
}

impl Screen {
    pub(crate) fn new(color: Color) -> Self {
        Self {
            color,
            renderer: renderer(color, io::stdout().is_terminal()),
            progress: Progress::new(),
        }
    }

    /// Prints whole lines in a single write, so that a reader never gets part of a line.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.progress.clear();
        io::stdout().lock().write_all(text.as_bytes())
    }

    /// Prints an error to standard error.
    pub(crate) fn error(&self, message: &str, help: Option<&str>) {
        self.say(Level::ERROR, message, help);
    }

    /// Prints a note to standard error.
    pub(crate) fn note(&self, message: &str, help: Option<&str>) {
        self.say(Level::NOTE, message, help);
    }

    /// Prints to standard error, ignoring errors because there is nowhere left to report them.
    fn say(&self, level: Level<'_>, message: &str, help: Option<&str>) {
        let renderer = renderer(self.color, io::stderr().is_terminal());
        let text = draw::message(level, message, help, &renderer);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints a diagnostic to standard error.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) {
        let renderer = renderer(self.color, io::stderr().is_terminal());
        let text = draw::diagnostic(diagnostic, &renderer);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Returns a renderer. By default, it uses colors on a terminal that supports them, unless the user has disabled colors
/// (no-color.org).
fn renderer(color: Color, is_terminal: bool) -> Renderer {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let colored = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
    };
    if colored {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
}
