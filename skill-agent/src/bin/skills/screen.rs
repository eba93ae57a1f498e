//! Where a command prints: standard output, with colors or without, and a line of progress on standard error.

use crate::args::Color;
use crate::draw;
use crate::progress::Progress;
use annotate_snippets::{Level, Renderer};
use skill_agent::manifest::Diagnostic;
use std::io::{self, IsTerminal, Write};

/// The terminal, file or pipe of a run.
#[derive(Debug)]
pub(crate) struct Screen {
    color: Color,
    /// How diagnostics are drawn on standard output.
    pub(crate) renderer: Renderer,
    /// What is under way.
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

    /// Prints a text of whole lines, all at once, so that a reader has it at once.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.progress.clear();
        io::stdout().lock().write_all(text.as_bytes())
    }

    /// Prints an error to standard error.
    pub(crate) fn error(&self, message: &str, help: Option<&str>) {
        self.say(Level::ERROR, message, help);
    }

    /// Prints to standard error what is no error.
    pub(crate) fn note(&self, message: &str, help: Option<&str>) {
        self.say(Level::NOTE, message, help);
    }

    /// When standard error is gone too, there is nobody to tell.
    fn say(&self, level: Level<'_>, message: &str, help: Option<&str>) {
        let renderer = renderer(self.color, io::stderr().is_terminal());
        let text = draw::message(level, message, help, &renderer);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Prints a finding to standard error.
    pub(crate) fn tell(&self, finding: &Diagnostic) {
        let renderer = renderer(self.color, io::stderr().is_terminal());
        let text = draw::finding(finding, &renderer);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Colors when asked for; else on a terminal that has them and whose user wants them (no-color.org).
fn renderer(color: Color, is_terminal: bool) -> Renderer {
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    let colored = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
    };
    match colored {
        true => Renderer::styled(),
        false => Renderer::plain(),
    }
}
