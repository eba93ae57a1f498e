//! Assembles Chat Completions calls from pieces. Servers number and name the pieces in different ways.

use std::collections::HashMap;

use serde_json::{Map, Value, from_str, json};

use crate::format::{are_repeated, bounded};
use skill_agent_chat::ModelEvent;
use skill_agent_models::__private::{Place, are_whole};
use skill_agent_models::CompletionError;

/// Calls that are still being assembled.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    /// Maps each index to the position in `calls` of its latest call; `by_id` does the same for ids.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
}

/// A call that is still being assembled.
#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    end: ObjectEnd,
    /// Other fields of the call, such as signatures.
    others: Map<String, Value>,
}

/// A piece of a tool call, from one event of the stream.
#[derive(Debug)]
struct Piece {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns whether the arguments of all calls are complete.
    pub(super) fn are_whole(&self) -> bool {
        let mut calls = self.calls.iter();
        calls.all(|call| are_whole(&call.arguments))
    }

    pub(super) fn finish(self) -> Vec<Value> {
        self.calls.into_iter().map(Call::finish).collect()
    }

    /// Adds a piece to its call. Once the call has a name, emits its new text.
    pub(super) fn add(
        &mut self,
        written: &Place<'_>,
        pieces: &mut Vec<ModelEvent>,
    ) -> Result<(), CompletionError> {
        let mut piece = Piece::read(written)?;
        let position = self.position(&piece).unwrap_or_else(|| {
            self.calls.push(Call::default());
            self.calls.len() - 1
        });
        bounded(self.calls.len(), "choices[0].message.tool_calls")?;
        if let Some(index) = piece.index {
            self.by_index.insert(index, position);
        }
        if !piece.id.is_empty() {
            self.by_id.insert(piece.id.clone(), position);
        }
        let call = &mut self.calls[position];
        if call.is_repeated_by(&piece) {
            piece.arguments.clear();
        }
        let is_named = call.name.is_empty() && !piece.name.is_empty();
        let is_continued = call.has_name_continued_by(&piece);
        if is_continued && piece.name.starts_with(&call.name) {
            call.name.clone_from(&piece.name);
        } else if is_named || is_continued {
            call.name.push_str(&piece.name);
        }
        call.arguments.push_str(&piece.arguments);
        call.end.read(&piece.arguments);
        // the first emitted piece contains the name, and so does each piece that continues the name
        if is_named || is_continued || !call.name.is_empty() && !piece.arguments.is_empty() {
            pieces.push(ModelEvent::CallDelta {
                index: position,
                name: (is_named || is_continued).then(|| call.name.clone()),
                arguments: if is_named {
                    call.arguments.clone()
                } else {
                    piece.arguments
                },
            });
        }
        if call.id.is_empty() {
            call.id = piece.id;
        }
        call.add_others(written)
    }

    /// Returns the call that a piece belongs to, or `None` if the piece starts a new call.
    ///
    /// An id takes precedence over an index. Some servers give all calls the same index, and others use several indices for one
    /// call. A piece with neither an id nor an index belongs to the last call, unless its name starts a new one. Some servers
    /// repeat the name in every piece, so the same name starts a new call only after a complete call.
    fn position(&self, piece: &Piece) -> Option<usize> {
        let by_id = self.by_id.get(&piece.id).copied();
        let by_index = piece
            .index
            .and_then(|index| self.by_index.get(&index).copied());
        let last = self.calls.len().checked_sub(1);
        let last = last.filter(|&last| piece.goes_on(&self.calls[last]));
        let position = by_id.or(by_index).or(last)?;
        let call = &self.calls[position];
        let has_other =
            |known: &str, new: &str| !known.is_empty() && !new.is_empty() && known != new;
        let has_other_name =
            has_other(&call.name, &piece.name) && !call.has_name_continued_by(piece);
        let is_other = has_other(&call.id, &piece.id) || has_other_name;
        // arguments after a complete call start a second call, unless they repeat the arguments under the same id or index
        let has_new_index = piece.index.is_some() && by_index != Some(position);
        let is_anonymous = piece.index.is_none() && piece.id.is_empty();
        let is_next = call.end.is_whole
            && !piece.arguments.trim().is_empty()
            && (has_new_index || is_anonymous || !call.is_repeated_by(piece));
        let begins = !piece.name.is_empty() && (is_other || is_next);
        (!begins).then_some(position)
    }
}

impl Piece {
    fn read(piece: &Place<'_>) -> Result<Self, CompletionError> {
        let function = piece.get("function").map(Place::object).transpose()?;
        let arguments = function
            .as_ref()
            .and_then(|function| function.get("arguments"));
        let name = function
            .as_ref()
            .map(|function| function.text_or_empty("name"));
        Ok(Self {
            index: piece
                .get("index")
                .and_then(|index| index.value.text().parse().ok()),
            id: piece.text_or_empty("id")?,
            name: name.transpose()?.unwrap_or_default(),
            // some servers send an object instead of a string
            arguments: arguments.map_or_else(String::new, |arguments| {
                let text = arguments.value.string();
                text.unwrap_or_else(|| arguments.value.text().to_owned())
            }),
        })
    }

    /// Returns whether a piece whose id and index match no call continues the last call.
    fn goes_on(&self, last: &Call) -> bool {
        let has_new_name = !self.name.is_empty() && !last.name.is_empty();
        match self.index {
            Some(_) => self.id.is_empty() && self.name.is_empty(),
            None if self.id.is_empty() => true,
            None => last.id.is_empty() && !has_new_name,
        }
    }
}

impl Call {
    /// Returns whether a piece continues the name. A server that divides a name sends an id with its first piece, and only the
    /// index with the others.
    fn has_name_continued_by(&self, piece: &Piece) -> bool {
        let is_begun = !self.id.is_empty() && !self.name.is_empty() && self.arguments.is_empty();
        let is_part = !piece.name.is_empty() && piece.name != self.name;
        is_begun && is_part && piece.id.is_empty() && piece.index.is_some()
    }

    /// Returns whether a piece repeats the arguments of a complete call.
    fn is_repeated_by(&self, piece: &Piece) -> bool {
        self.end.is_whole && are_repeated(&self.arguments, &piece.arguments)
    }

    fn add_others(&mut self, piece: &Place<'_>) -> Result<(), CompletionError> {
        let fields: Map<String, Value> =
            from_str(piece.value.text()).map_err(CompletionError::Json)?;
        let is_kept = |(key, value): &(String, Value)| {
            !matches!(key.as_str(), "index" | "id" | "function") && !value.is_null()
        };
        self.others.extend(fields.into_iter().filter(is_kept));
        Ok(())
    }

    fn finish(self) -> Value {
        let mut call = json!({ "id": self.id, "type": "function" });
        for (key, value) in self.others {
            call[key] = value;
        }
        call["function"] = json!({ "name": self.name, "arguments": self.arguments });
        call
    }
}

/// Finds the end of a JSON object that arrives in pieces.
#[derive(Debug, Default)]
struct ObjectEnd {
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// Whether the object has ended and nothing follows it.
    is_whole: bool,
}

impl ObjectEnd {
    fn read(&mut self, piece: &str) {
        for byte in piece.bytes() {
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            match byte {
                b'\\' if self.is_in_string => self.is_escaped = true,
                b'"' => self.is_in_string = !self.is_in_string,
                _ if self.is_in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                _ => {}
            }
            self.is_whole = byte == b'}' && self.depth == 0 && !self.is_in_string;
        }
    }
}
