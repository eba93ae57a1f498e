//! Prints into the scrollback. Only the last line is drawn again.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use unicode_width::UnicodeWidthChar;

/// The screen of a terminal, or a pipe.
pub(crate) struct Screen {
    is_terminal: bool,
    has_styles: bool,
    /// Whether the cursor is at the beginning of a line.
    is_at_start: bool,
    has_status: bool,
}

/// How a line looks in a terminal.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    Plain,
    Dim,
    Added,
    Removed,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Dim => "\x1b[2m",
            Self::Added => "\x1b[32m",
            Self::Removed => "\x1b[31m",
        }
    }
}

impl Screen {
    pub(crate) fn new() -> Self {
        let is_terminal = io::stdout().is_terminal();
        Self {
            is_terminal,
            has_styles: is_terminal && std::env::var_os("NO_COLOR").is_none(),
            is_at_start: true,
            has_status: false,
        }
    }

    /// Prints a piece of a text. The next piece continues it.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let Some(last) = text.chars().next_back() else {
            return Ok(());
        };
        self.clear_status()?;
        self.is_at_start = last == '\n';
        self.write(&printable(text))
    }

    /// Prints lines of their own.
    pub(crate) fn line(&mut self, style: Style, text: &str) -> io::Result<()> {
        self.end_line()?;
        let text = printable(text);
        match style.code() {
            code if self.has_styles && !code.is_empty() => {
                self.write(&format!("{code}{text}\x1b[0m\n"))
            }
            _ => self.write(&format!("{text}\n")),
        }
    }

    /// Ends the line of a text.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.clear_status()?;
        if !self.is_at_start {
            self.is_at_start = true;
            self.write("\n")?;
        }
        Ok(())
    }

    /// Shows what is going on in the last line, until something is printed. A pipe does not get it.
    pub(crate) fn status(&mut self, text: &str) -> io::Result<()> {
        if !self.is_terminal || !self.is_at_start {
            return Ok(());
        }
        self.clear_status()?;
        self.has_status = true;
        let text = printable(text).replace(['\n', '\t'], " ");
        let text = fit(&text, width().saturating_sub(1));
        let dim = if self.has_styles {
            Style::Dim.code()
        } else {
            ""
        };
        let end = if self.has_styles { "\x1b[0m" } else { "" };
        self.write(&format!("{dim}{text}{end}"))
    }

    fn clear_status(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.has_status) {
            return Ok(());
        }
        self.write("\r\x1b[K")
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

/// Returns the number of columns of the terminal.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok();
    size.map_or(80, |size| usize::from(size.ws_col).max(1))
}

/// Cuts a line to a number of columns.
fn fit(line: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = line.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > columns
    });
    end.map_or(line, |(at, _)| &line[..at])
}

/// Replaces characters that would control the terminal, change the order of others or hide. A model and a file can contain any.
/// Emoji need joiners.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    };
    if text.contains(is_control) {
        text.replace(is_control, "\u{fffd}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_controls_the_terminal() {
        let text = "a\x1b[2J\r\u{9b}1m\u{202e}b\tc\nd";
        assert_eq!(
            printable(text),
            "a\u{fffd}[2J\u{fffd}\u{fffd}1m\u{fffd}b\tc\nd"
        );
    }

    #[test]
    fn a_line_is_cut_between_characters() {
        assert_eq!(fit("日本語", 5), "日本");
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("abc", 0), "");
    }
}
