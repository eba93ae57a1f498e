//! Calls written as text.

use super::Stage;
use super::object::{Written, read};
use crate::limits::MAX_CALLS;
use crate::message::Identity;
use crate::{CallPart, MessagePart, ModelEvent, TextPart};
use skill_agent_models::{Finish, ToolCall};
use skill_core::MAX_ARGUMENT_BYTES;
use skill_core::ToolBuf;
use std::collections::VecDeque;
use std::sync::Arc;

/// The length in bytes up to which text is checked after each piece. Longer text is checked each time it has grown by a quarter.
const SHORT: usize = 1 << 10;

/// A stage that turns text into calls if the text consists only of calls to listed tools.
///
/// Text that may become a call is held back until it cannot be one, up to [`MAX_ARGUMENT_BYTES`]. Text that has been shown stays
/// text.
#[derive(Debug)]
pub(super) struct TextCalls {
    tools: Arc<[ToolBuf]>,
    /// The pieces of text that are held back.
    held: String,
    /// `true` if the current text has been shown.
    is_shown: bool,
    /// The length in bytes at which the text is checked next.
    next_look: usize,
    /// The complete text, kept until the next event shows whether more text follows.
    whole: Option<TextPart>,
    /// Calls found in the text, and the parts after them. They wait until it is known whether the server also sends the same
    /// calls itself.
    waiting: Vec<Waiting>,
    /// Calls that the server sent itself.
    native: Vec<Identity>,
    /// The index of the next call in this completion.
    next_call: usize,
    /// `true` if a call was found in the completion's text.
    has_found: bool,
}

#[derive(Debug)]
enum Waiting {
    /// A call that was found in text.
    Call(ToolCall),
    Part(MessagePart),
}

impl TextCalls {
    pub(super) fn new(tools: Arc<[ToolBuf]>) -> Self {
        Self {
            tools,
            held: String::new(),
            is_shown: false,
            next_look: 0,
            whole: None,
            waiting: Vec::new(),
            native: Vec::new(),
            next_call: 0,
            has_found: false,
        }
    }
}

impl Stage for TextCalls {
    fn take(&mut self, event: ModelEvent, out: &mut VecDeque<ModelEvent>) {
        match event {
            ModelEvent::Text(piece) => {
                self.end_whole(out);
                self.release(out);
                self.piece(piece, out);
            }
            ModelEvent::Part(MessagePart::Text(part)) if part.item.is_none() => {
                self.end_whole(out);
                if self.is_shown {
                    self.is_shown = false;
                    self.part(part.into(), out);
                } else {
                    self.whole = Some(part);
                }
            }
            ModelEvent::Finish(finish) => {
                // a call that was cut off at the token limit must not run, so its missing brace is not added
                self.end(finish != Finish::Truncated, out);
                self.release(out);
                let finish = match finish {
                    Finish::Answered | Finish::Other(_) if self.has_found => Finish::Calls,
                    finish => finish,
                };
                out.push_back(ModelEvent::Finish(finish));
            }
            ModelEvent::Part(part) => {
                self.end_whole(out);
                match &part {
                    // the server needs this text back unchanged, so show its pieces instead of reading them as a call
                    MessagePart::Text(_) => {
                        let held = std::mem::take(&mut self.held);
                        if !held.is_empty() {
                            out.push_back(ModelEvent::Text(held));
                        }
                        self.next_look = 0;
                        self.is_shown = false;
                    }
                    MessagePart::Call(call) => self.native.push(Identity::of(&call.call)),
                    _ => {}
                }
                self.part(part, out);
            }
            event => {
                match &event {
                    ModelEvent::CallDelta { index, .. } => {
                        self.next_call = self.next_call.max(index + 1);
                    }
                    ModelEvent::Reasoning(_) => self.release(out),
                    _ => {}
                }
                out.push_back(event);
            }
        }
    }
}

impl TextCalls {
    fn piece(&mut self, piece: String, out: &mut VecDeque<ModelEvent>) {
        if self.is_shown {
            out.push_back(ModelEvent::Text(piece));
            return;
        }
        self.held.push_str(&piece);
        let len = self.held.len();
        if len < self.next_look {
            return;
        }
        self.next_look = if len < SHORT { 0 } else { len + len / 4 };
        let is_text = matches!(read(&self.held, &self.tools), Written::Text);
        if is_text || len > MAX_ARGUMENT_BYTES {
            self.is_shown = true;
            self.next_look = 0;
            out.push_back(ModelEvent::Text(std::mem::take(&mut self.held)));
        }
    }

    /// Finishes a complete text when more events follow it.
    fn end_whole(&mut self, out: &mut VecDeque<ModelEvent>) {
        if self.whole.is_some() {
            self.end(false, out);
        }
    }

    /// Finishes the current text: queues its calls, or emits the text if it is not a list of calls. If `may_mend` is `true`, a
    /// missing closing brace is added first.
    fn end(&mut self, may_mend: bool, out: &mut VecDeque<ModelEvent>) {
        let (whole, held) = (self.whole.take(), std::mem::take(&mut self.held));
        self.next_look = 0;
        self.is_shown = false;
        let text = whole.as_ref().map_or(&*held, |part| &*part.text);
        let calls = match read(text, &self.tools) {
            Written::Calls(calls) => calls,
            Written::Mended(calls) if may_mend => calls,
            _ => {
                if !held.is_empty() {
                    out.push_back(ModelEvent::Text(held));
                }
                if let Some(part) = whole {
                    self.part(part.into(), out);
                }
                return;
            }
        };
        self.has_found = true;
        self.waiting.extend(calls.into_iter().map(Waiting::Call));
    }

    /// Adds a part after the waiting calls.
    fn part(&mut self, part: MessagePart, out: &mut VecDeque<ModelEvent>) {
        self.waiting.push(Waiting::Part(part));
        let has_call = matches!(self.waiting[0], Waiting::Call(_));
        if !has_call || self.waiting.len() > MAX_CALLS {
            self.release(out);
        }
    }

    /// Emits all waiting calls and parts, except calls that the server also sent itself.
    fn release(&mut self, out: &mut VecDeque<ModelEvent>) {
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Part(part) => out.push_back(ModelEvent::Part(part)),
                Waiting::Call(call) if self.native.contains(&Identity::of(&call)) => {}
                Waiting::Call(call) => self.call(call, out),
            }
        }
    }

    fn call(&mut self, call: ToolCall, out: &mut VecDeque<ModelEvent>) {
        out.push_back(ModelEvent::CallDelta {
            index: self.next_call,
            name: Some(call.name.clone()),
            arguments: call.arguments.clone(),
        });
        out.push_back(ModelEvent::Part(CallPart::new(call).into()));
        self.next_call += 1;
    }
}
