//! The cut results of a session, and the tool that reads the rest of them.

use crate::list::ListedTool;
use crate::list::reserved::{READ_RESULT, TOOLBOX};
use crate::output::{OutputPart, ToolOutput};
use serde_json::{Value, json};
use skill_core::ToolBuf;
use skill_core::process::{MAX_TEXT, NoPart, part_at};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use uuid::Uuid;

const ID: &str = "id";
const OFFSET: &str = "offset";

/// The maximum number of kept results.
const MAX_KEPT: usize = 16;
/// The maximum total size of all kept results, in bytes.
const MAX_KEPT_BYTES: usize = 16 << 20;
/// The maximum total size of a result's images and files in bytes, counting base64 data, names and media types.
const MAX_DATA_BYTES: usize = 16 << 20;
/// The maximum number of images and files in a result.
const MAX_DATA_PARTS: usize = 256;

/// The number of digits in an id that identify the session. A model has to repeat them, so they are few.
const SESSION_DIGITS: usize = 8;

/// The cut results that a session keeps.
#[derive(Debug, Default)]
pub(super) struct CutResults {
    /// Distinguishes the ids of this session from the ids of other sessions. Empty until a result is kept, because randomness is a
    /// call of the system, and many sessions make one call.
    session: String,
    /// The number of the last kept result.
    last: u64,
    /// The kept results, newest last.
    kept: VecDeque<(u64, Arc<str>)>,
    bytes: usize,
}

/// The error for a result that cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoResult {
    #[error("there is no result `{0}` in this conversation")]
    Unknown(String),
    #[error(
        "the result `{0}` is no longer kept, since later ones took its place; call its tool again"
    )]
    Gone(String),
    #[error("the result `{0}` has no such part: {1}")]
    Part(String, NoPart),
}

impl CutResults {
    /// Returns whether any result was ever kept.
    pub(super) fn has_any(&self) -> bool {
        self.last > 0
    }

    /// Cuts an output whose total text is too long, and keeps the full text.
    pub(super) fn cut(&mut self, output: ToolOutput) -> ToolOutput {
        if texts_len(&output) <= MAX_TEXT {
            return output;
        }
        let text: Arc<str> = output.text().into();
        let range = part_at(&text, 0).unwrap_or_default();
        let first = if text.len() <= MAX_KEPT_BYTES {
            let id = self.keep(Arc::clone(&text));
            shown(&text, range, &id)
        } else {
            format!(
                "{}\n\n[bytes 0 to {} of {}; the rest is not kept, since the result has more than {MAX_KEPT_BYTES} bytes]",
                &text[range.clone()],
                range.end,
                text.len(),
            )
        };
        let others = output.into_parts().into_iter();
        let others = others.filter(|part| part.text().is_none());
        ToolOutput::new(std::iter::once(first.into()).chain(others).collect())
    }

    /// Keeps a result and returns its id.
    fn keep(&mut self, text: Arc<str>) -> String {
        if self.session.is_empty() {
            Uuid::new_v4().simple().to_string()[..SESSION_DIGITS].clone_into(&mut self.session);
        }
        self.last += 1;
        self.bytes += text.len();
        self.kept.push_back((self.last, text));
        while self.kept.len() > MAX_KEPT || self.bytes > MAX_KEPT_BYTES {
            let Some((_, gone)) = self.kept.pop_front() else {
                break;
            };
            self.bytes -= gone.len();
        }
        self.id(self.last)
    }

    fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.session)
    }

    /// Reads a part of a result, given arguments that match the tool's schema.
    ///
    /// # Errors
    /// Returns an error if there is no such result or part, or if the result is no longer kept.
    pub(super) fn read(&self, arguments: &Value) -> Result<String, NoResult> {
        let id = arguments[ID].as_str().unwrap_or_default();
        let offset = &arguments[OFFSET];
        let offset = offset.as_u64().or_else(|| Some(offset.as_f64()? as u64));
        let number = id
            .strip_prefix(&self.session)
            .and_then(|rest| rest.strip_prefix('-'))
            .and_then(|number| number.parse().ok())
            .filter(|number| (1..=self.last).contains(number) && self.id(*number) == id);
        let name = || skill_agent_schema::shorten_name(id).into_owned();
        let number: u64 = number.ok_or_else(|| NoResult::Unknown(name()))?;
        let mut kept = self.kept.iter();
        let (_, text) = kept
            .find(|(kept, _)| *kept == number)
            .ok_or_else(|| NoResult::Gone(name()))?;
        let range = part_at(text, offset.unwrap_or_default());
        let range = range.map_err(|why| NoResult::Part(name(), why))?;
        Ok(shown(text, range, id))
    }
}

/// Formats a part of the text, with a note that says how to read the rest.
fn shown(text: &str, range: std::ops::Range<usize>, id: &str) -> String {
    let (begin, end, total) = (range.start, range.end, text.len());
    let next = if end < total {
        format!("to read on, call `{READ_RESULT}` with `{ID}` \"{id}\" and `{OFFSET}` {end}")
    } else {
        "this is the end of the result".to_owned()
    };
    format!(
        "{}\n\n[bytes {begin} to {end} of {total}; {next}]",
        &text[range]
    )
}

fn texts_len(output: &ToolOutput) -> usize {
    let texts = output.parts().iter().filter_map(OutputPart::text);
    // each text part is on its own line
    let with_ends: usize = texts.map(|text| text.len() + 1).sum();
    with_ends.saturating_sub(1)
}

/// Replaces images and files with notes if there are too many of them or if they are too large.
pub(super) fn without_large_data(output: ToolOutput) -> ToolOutput {
    let (mut room, mut places, mut left_out) = (MAX_DATA_BYTES, MAX_DATA_PARTS, 0_usize);
    let mut parts = Vec::new();
    for part in output.into_parts() {
        let Some((kind, bytes)) = data_of(&part) else {
            parts.push(part);
            continue;
        };
        let Some(others) = places.checked_sub(1) else {
            left_out += 1;
            continue;
        };
        places = others;
        parts.push(match room.checked_sub(bytes) {
            Some(left) => {
                room = left;
                part
            }
            None => format!(
                "[{kind} of {bytes} bytes is left out: a result has at most {MAX_DATA_BYTES}]"
            )
            .into(),
        });
    }
    if left_out > 0 {
        let note = format!(
            "[{left_out} more images and files are left out: a result has at most {MAX_DATA_PARTS}]"
        );
        parts.push(note.into());
    }
    ToolOutput::new(parts)
}

/// Returns the kind of an image or file, and the total length of its data, name and media type in bytes.
fn data_of(part: &OutputPart) -> Option<(&'static str, usize)> {
    match part {
        OutputPart::Text { .. } | OutputPart::Link { .. } => None,
        OutputPart::Image { media_type, data } => Some(("an image", media_type.len() + data.len())),
        OutputPart::File {
            name,
            media_type,
            data,
        } => {
            let name = name.as_ref().map_or(0, String::len);
            Some(("a file", name + media_type.len() + data.len()))
        }
    }
}

/// Returns the tool `read_result`.
pub(super) fn tool() -> &'static Arc<ListedTool> {
    static TOOL: OnceLock<Arc<ListedTool>> = OnceLock::new();
    TOOL.get_or_init(|| {
        let description =
            "Continue reading a long result of another tool. The note at the end of a part says how.";
        let schema = json!({
            "type": "object",
            "properties": {
                (ID): { "type": "string", "description": "The id of the result, from the note" },
                (OFFSET): {
                    "type": "integer",
                    "minimum": 0,
                    "description": "The byte to begin at, from the note",
                },
            },
            "required": [ID, OFFSET],
            "additionalProperties": false,
        });
        let mut tool = ToolBuf::new(READ_RESULT, description, schema);
        tool.hints.read_only = true;
        Arc::new(ListedTool::builtin(tool, TOOLBOX))
    })
}
