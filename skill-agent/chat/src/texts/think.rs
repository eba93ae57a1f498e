//! Reading reasoning between tags at the beginning of a completion.

use super::Stage;
use crate::{MessagePart, ModelEvent, TextPart};
use std::collections::VecDeque;

/// Tags that models put around reasoning.
const TAGS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
];

/// The maximum number of bytes that are held back before a tag.
const MAX_HELD: usize = 1 << 10;

/// Splits text into its reasoning and the rest. Without tags, the reasoning is `None`. If only the closing tag is missing, the
/// whole text is reasoning.
///
/// Some templates put the opening tag into the request. A closing tag without an opening tag therefore counts too, but only at
/// the beginning or the end of a line.
pub(crate) fn split(text: &str) -> (Option<&str>, &str) {
    let begun = text.trim_start();
    if let Some((open, close)) = TAGS.iter().find(|(open, _)| begun.starts_with(open)) {
        let within = &begun[open.len()..];
        let (reasoning, rest) = within.split_once(close).unwrap_or((within, ""));
        return (Some(reasoning.trim()), rest.trim_start());
    }
    for (open, close) in TAGS {
        if let Some((reasoning, rest)) = text.split_once(close)
            // text with the opening tag further inside merely mentions the tags
            && !reasoning.contains(open)
            && (is_line_end(rest) || reasoning.ends_with('\n'))
        {
            return (Some(reasoning.trim()), rest.trim_start());
        }
    }
    (None, text)
}

fn is_line_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\r']);
    rest.is_empty() || rest.starts_with('\n')
}

/// A stage that turns text between the tags into reasoning.
#[derive(Debug, Default)]
pub(super) struct ThinkTags {
    place: Place,
    /// Text that may be the start of a tag.
    held: String,
    /// The reasoning received so far. The first `shown` bytes of it have been shown.
    reasoning: String,
    shown: usize,
    /// The number of bytes at the beginning of `reasoning` that are equal to `native`.
    same: usize,
    /// The reasoning that the server sent itself, kept because some servers also leave it in the text.
    native: String,
}

/// The position of the next piece relative to the tags.
#[derive(Debug, Default)]
enum Place {
    /// At the beginning.
    #[default]
    Begin,
    /// Before this closing tag.
    Within(&'static str),
    /// In the whitespace after the closing tag.
    Behind,
    /// In the text after the reasoning.
    Rest,
    /// In text without tags.
    Plain,
}

impl Stage for ThinkTags {
    fn take(&mut self, event: ModelEvent, out: &mut VecDeque<ModelEvent>) {
        match event {
            ModelEvent::Text(piece) => self.piece(&piece, out),
            ModelEvent::Reasoning(piece) => {
                self.native.push_str(&piece);
                out.push_back(ModelEvent::Reasoning(piece));
            }
            ModelEvent::Part(MessagePart::Text(part)) if part.item.is_none() => {
                self.whole(&part.text, out);
            }
            // the server needs this text back unchanged
            ModelEvent::Part(MessagePart::Text(mut part)) => {
                if self.is_split() {
                    part.text = split(&part.text).1.to_owned();
                }
                self.end(out);
                out.push_back(ModelEvent::Part(part.into()));
            }
            ModelEvent::Finish(_) => {
                self.end(out);
                out.push_back(event);
            }
            event => out.push_back(event),
        }
    }
}

impl ThinkTags {
    fn piece(&mut self, piece: &str, out: &mut VecDeque<ModelEvent>) {
        match self.place {
            Place::Begin => self.begin(piece, out),
            Place::Within(close) => self.within(piece, close, out),
            Place::Behind => {
                let piece = piece.trim_start();
                if !piece.is_empty() {
                    self.place = Place::Rest;
                    out.push_back(ModelEvent::Text(piece.to_owned()));
                }
            }
            Place::Rest | Place::Plain => out.push_back(ModelEvent::Text(piece.to_owned())),
        }
    }

    fn begin(&mut self, piece: &str, out: &mut VecDeque<ModelEvent>) {
        self.held.push_str(piece);
        let begun = self.held.trim_start();
        if let Some((open, close)) = TAGS.iter().find(|(open, _)| begun.starts_with(open)) {
            let rest = begun[open.len()..].to_owned();
            self.held.clear();
            self.place = Place::Within(close);
            self.within(&rest, close, out);
        } else if !TAGS.iter().any(|(open, _)| open.starts_with(begun))
            || self.held.len() > MAX_HELD
        {
            self.place = Place::Plain;
            out.push_back(ModelEvent::Text(std::mem::take(&mut self.held)));
        }
    }

    fn within(&mut self, piece: &str, close: &'static str, out: &mut VecDeque<ModelEvent>) {
        self.held.push_str(piece);
        let held = std::mem::take(&mut self.held);
        if let Some((reasoning, rest)) = held.split_once(close) {
            self.think(reasoning, out);
            self.end_reasoning(out);
            self.place = Place::Behind;
            self.piece(rest, out);
            return;
        }
        let begins = |at: &usize| held.is_char_boundary(*at) && close.starts_with(&held[*at..]);
        let least = held.len().saturating_sub(close.len());
        let end = (least..held.len()).find(begins).unwrap_or(held.len());
        self.think(&held[..end], out);
        self.held = held[end..].to_owned();
    }

    fn think(&mut self, piece: &str, out: &mut VecDeque<ModelEvent>) {
        let piece = if self.reasoning.is_empty() {
            piece.trim_start()
        } else {
            piece
        };
        self.reasoning.push_str(piece);
        if self.is_native(&self.reasoning[self.same..], self.same) {
            self.same = self.reasoning.trim_end().len();
            return;
        }
        let piece = &self.reasoning[self.shown..];
        if !piece.is_empty() {
            out.push_back(ModelEvent::Reasoning(piece.to_owned()));
        }
        self.shown = self.reasoning.len();
    }

    /// Returns whether the reasoning that the server sent separately contains `reasoning` at byte `from`. If so, the caller does
    /// not show `reasoning` again. Returns `false` once any of the reasoning in the text has been shown.
    fn is_native(&self, reasoning: &str, from: usize) -> bool {
        let native = self.native.trim_start().get(from..);
        self.shown == 0 && native.is_some_and(|native| native.starts_with(reasoning.trim_end()))
    }

    fn end_reasoning(&mut self, out: &mut VecDeque<ModelEvent>) {
        let reasoning = std::mem::take(&mut self.reasoning);
        if self.shown > 0 {
            out.extend(reasoning_part(&reasoning));
        }
        self.shown = 0;
        self.same = 0;
    }

    /// Handles the complete text. Pieces of it may already have been handled.
    fn whole(&mut self, text: &str, out: &mut VecDeque<ModelEvent>) {
        let is_split = self.is_split();
        // if pieces were shown before a closing tag without an opening tag, an empty string replaces them
        let is_shown = matches!(self.place, Place::Plain);
        self.end(out);
        let (reasoning, rest) = split(text);
        if !is_split {
            let reasoning = reasoning.filter(|reasoning| !self.is_native(reasoning, 0));
            out.extend(reasoning.and_then(reasoning_part));
        }
        if reasoning.is_none() || !rest.is_empty() || is_shown {
            out.push_back(ModelEvent::Part(TextPart::new(rest).into()));
        }
    }

    /// Returns whether the pieces of the current text contained a tag.
    fn is_split(&self) -> bool {
        matches!(self.place, Place::Within(_) | Place::Behind | Place::Rest)
    }

    /// Ends the current text, with or without its closing tag.
    fn end(&mut self, out: &mut VecDeque<ModelEvent>) {
        let held = std::mem::take(&mut self.held);
        match std::mem::take(&mut self.place) {
            Place::Within(_) => {
                self.think(&held, out);
                self.end_reasoning(out);
            }
            _ if !held.is_empty() => out.push_back(ModelEvent::Text(held)),
            _ => {}
        }
    }
}

fn reasoning_part(text: &str) -> Option<ModelEvent> {
    let text = text.trim();
    let part = || ModelEvent::Part(MessagePart::Reasoning(TextPart::new(text)));
    (!text.is_empty()).then(part)
}
