//! The end of text that is still arriving. A match may still begin or continue there.

use super::Redact;

/// The maximum number of held-back bytes of one match.
const MOST_HELD: usize = 4096;

/// Replaces matches in text that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The end of the shown text, as context for matches, followed by the held-back text.
    text: String,
    /// The index in `text` where the held-back text begins.
    held: usize,
}

impl Window {
    /// Takes a piece. Returns the text that can be shown, which may be empty.
    pub(super) fn push(&mut self, redact: &Redact, piece: &str) -> String {
        self.text.push_str(piece);
        let decided = self.text.len().saturating_sub(redact.longest);
        self.pass_on(redact, decided)
    }

    /// Returns the held-back text, with all matches replaced.
    pub(super) fn end(&mut self, redact: &Redact) -> String {
        let rest = self.pass_on(redact, self.text.len());
        *self = Self::default();
        rest
    }

    /// Passes on the text up to `decided`. A match that begins after this place may still be incomplete.
    fn pass_on(&mut self, redact: &Redact, decided: usize) -> String {
        let is_end = decided == self.text.len();
        let mut decided = floor(&self.text, decided.max(self.held));
        // text before `context` is not searched again
        let (mut shown, mut context) = (String::new(), 0);
        for found in redact.matches(&self.text) {
            if found.end <= self.held {
                continue;
            }
            let begin = found.start.max(self.held);
            if begin >= decided && !is_end {
                break;
            }
            let may_go_on = found.end == self.text.len() && found.len() < MOST_HELD;
            if may_go_on && !is_end {
                decided = begin;
                break;
            }
            shown.push_str(&self.text[self.held..begin]);
            shown.push_str(&redact.replacement);
            self.held = found.end;
            context = found.end;
        }
        if self.held < decided {
            shown.push_str(&self.text[self.held..decided]);
            self.held = decided;
        }
        let context = context.max(self.held.saturating_sub(redact.longest));
        let context = floor(&self.text, context);
        self.text.drain(..context);
        self.held -= context;
        shown
    }
}

/// Returns the last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
