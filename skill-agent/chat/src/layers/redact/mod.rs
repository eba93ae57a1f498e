//! A layer that hides matches of patterns from the model and in the events.

mod message;
mod stage;
mod window;

use super::error::{LayerError, LayerStream};
use super::{ChatLayer, Next};
use crate::texts::staged;
use crate::{Called, ChatRequest, Event, Turn};
use message::{redact_output, redacted_messages};
use regex_lite::Regex;
use skill_agent_server::BoxFuture;
use stage::Shown;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Replaces text that matches a pattern, in the requests to the model and in the events and the turn that your program gets. The
/// history keeps the original.
///
/// - **Requests**: the system text, text, reasoning, arguments, results and errors. A provider's own item that contains a match
///   is left out. Images, files and tool definitions are sent as they are.
/// - **Events**: `Text`, `Reasoning`, `CallDelta`, `Calling`, `Progress`, `Called`, and the text and calls of `Done`. A stream may
///   cut a match into pieces, so the last [`longest`](Self::longest) bytes of text are held back until more text arrives or the
///   text ends. `Said`, `Approval`, `StepEnd` and `Decided` contain the original, for the approver and the store. A typed answer
///   contains the original too.
///
/// The model sees only the replacements. If it repeats a replacement in a call, the tool gets the replacement.
///
/// Patterns are regular expressions of the crate [`regex-lite`](https://docs.rs/regex-lite).
///
/// ```
/// use skill_agent::chat::Redact;
///
/// let redact = Redact::new([r"\b\d{4}( ?\d{4}){3}\b", r"sk-[A-Za-z0-9]+"]).by("[hidden]");
/// assert_eq!(redact.text("My card is 4111 1111 1111 1111."), "My card is [hidden].");
/// ```
#[derive(Clone, Debug)]
pub struct Redact {
    patterns: Arc<[Regex]>,
    replacement: Arc<str>,
    longest: usize,
    /// The error message for an invalid pattern.
    problem: Option<String>,
}

/// The default number of bytes to hold back. Card numbers, email addresses and most keys are shorter.
const LONGEST: usize = 64;

impl Redact {
    /// Creates a layer with these regular expressions. [`ChatBuilder::build`](crate::ChatBuilder::build) returns an error if one
    /// is invalid.
    pub fn new<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Self {
        let (mut compiled, mut problem) = (Vec::new(), None);
        for pattern in patterns {
            let pattern = pattern.as_ref();
            match Regex::new(pattern) {
                Ok(regex) if regex.is_match("") => {
                    problem = Some(format!(
                        "it matches everywhere, because it matches the empty text: `{pattern}`"
                    ));
                }
                Ok(regex) => compiled.push(regex),
                Err(error) => {
                    problem = Some(format!("it is no regular expression: `{pattern}`: {error}"))
                }
            }
        }
        Self {
            patterns: compiled.into(),
            replacement: "[redacted]".into(),
            longest: LONGEST,
            problem,
        }
    }

    /// Sets the replacement for each match. The default is `[redacted]`.
    #[must_use]
    pub fn by(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = replacement.into().into();
        self
    }

    /// Sets how many bytes of arriving text are held back. Pass the length of the longest text that a pattern must see before it
    /// matches. The default is 64.
    #[must_use]
    pub fn longest(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    /// Returns `text` with each match replaced.
    #[must_use]
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let matches = self.matches(text);
        if matches.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut redacted, mut end) = (String::new(), 0);
        for found in matches {
            redacted.push_str(&text[end..found.start]);
            redacted.push_str(&self.replacement);
            end = found.end;
        }
        redacted.push_str(&text[end..]);
        Cow::Owned(redacted)
    }

    /// Returns the matches of all patterns in order. Matches that overlap become one.
    fn matches(&self, text: &str) -> Vec<Range<usize>> {
        let found = self.patterns.iter().flat_map(|regex| regex.find_iter(text));
        let mut found: Vec<_> = found.map(|found| found.range()).collect();
        found.retain(|range| !range.is_empty());
        found.sort_by_key(|range| range.start);
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            match joined.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        joined
    }

    fn is_in(&self, text: &str) -> bool {
        self.patterns.iter().any(|regex| regex.is_match(text))
    }

    /// Replaces all matches in `text` in place.
    fn redact(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.text(text) {
            *text = redacted;
        }
    }

    fn redact_call(&self, call: &mut Called) {
        self.redact(&mut call.arguments);
        redact_output(self, &call.name, &mut call.result);
    }

    fn redact_turn(&self, turn: &mut Turn) {
        self.redact(&mut turn.text);
        for call in &mut turn.calls {
            self.redact_call(call);
        }
    }
}

impl ChatLayer for Redact {
    fn check(&self) -> Result<(), String> {
        match &self.problem {
            Some(problem) => Err(format!("a pattern of `Redact` cannot be used: {problem}")),
            None => Ok(()),
        }
    }

    fn request<'a>(
        &'a self,
        mut request: ChatRequest,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
        Box::pin(async move {
            if request.system.iter().any(|part| self.is_in(&part.text)) {
                for part in Arc::make_mut(&mut request.system) {
                    self.redact(&mut part.text);
                }
            }
            if let Some(messages) = redacted_messages(self, &request.messages) {
                request.messages = Arc::new(messages);
            }
            let stream = next.send(request).await?;
            Ok(staged(stream, Shown::new(self.clone())))
        })
    }

    fn shown(&self, event: &mut Event) {
        match event {
            Event::Calling(call) => {
                self.redact(&mut call.call.arguments);
                call.item.take_if(|item| self.is_in(&item.json));
            }
            Event::Progress(progress) => {
                let text = progress.value.to_string();
                if let Cow::Owned(redacted) = self.text(&text) {
                    let value = serde_json::from_str(&redacted);
                    progress.value = value.unwrap_or_else(|_| redacted.into());
                }
            }
            Event::Called(call) => self.redact_call(call),
            Event::Done(turn) => self.redact_turn(turn),
            // the pieces are redacted in their stream
            _ => {}
        }
    }
}
