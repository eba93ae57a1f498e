//! Repairs text that would be JSON if it had no code fence, trailing commas and control characters.

use skill_agent_schema::behind_string;
use skill_core::MAX_DEPTH;
use skill_core::serde_json::from_str;

use super::place::Place;
use super::{Change, MOST_REPAIRS, Repair};

/// Returns the repaired text, which may still not be JSON. Returns `None` if there is nothing to repair, or if there is too much
/// to repair.
pub(super) fn repaired(text: &str, at: &Place<'_>, repairs: &mut Vec<Repair>) -> Option<String> {
    let before = repairs.len();
    let within = within_fence(text);
    if within.is_some() {
        let (path, change) = (at.path(), Change::Fence);
        repairs.push(Repair { path, change });
    }
    let text = within.unwrap_or(text);
    let mut scan = Scan {
        at,
        out: String::with_capacity(text.len()),
        frames: Vec::new(),
        repairs,
    };
    scan.run(text)?;
    let out = scan.out;
    (repairs.len() > before).then_some(out)
}

/// Returns the text inside a Markdown code fence, if the fence surrounds all of the text.
fn within_fence(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    let (language, json) = text.split_at(text.find(['{', '['])?);
    let is_word = |c: char| c.is_alphanumeric() || c.is_whitespace();
    language.chars().all(is_word).then_some(json)
}

/// A list or an object that encloses the current position.
enum Frame {
    List(usize),
    /// An object, with its last key.
    Object(String),
}

struct Scan<'a> {
    at: &'a Place<'a>,
    out: String,
    frames: Vec<Frame>,
    repairs: &'a mut Vec<Repair>,
}

impl Scan<'_> {
    /// Copies and repairs the text. Returns `None` if there are too many repairs.
    fn run(&mut self, text: &str) -> Option<()> {
        let bytes = text.as_bytes();
        // the last byte outside strings that is not whitespace
        let (mut at, mut last) = (0, b' ');
        while let Some(&byte) = bytes.get(at) {
            let mut end = at + 1;
            match byte {
                b'"' => {
                    end = end_of_text(bytes, at);
                    self.text(&text[at..end], matches!(last, b'{' | b','))?;
                    last = byte;
                    at = end;
                    continue;
                }
                // deeper arguments are rejected when they are parsed
                b'[' | b'{' if self.frames.len() >= MAX_DEPTH => return None,
                b'[' => self.frames.push(Frame::List(0)),
                b'{' => self.frames.push(Frame::Object(String::new())),
                b']' | b'}' => {
                    self.frames.pop();
                }
                b',' => {
                    let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
                    let is_trailing = matches!(next, Some(b']' | b'}'));
                    if is_trailing && !matches!(last, b'[' | b'{' | b',' | b':' | b' ') {
                        self.note(self.frames.len().saturating_sub(1), Change::TrailingComma)?;
                        at = end;
                        continue;
                    }
                    if let Some(Frame::List(index)) = self.frames.last_mut() {
                        *index += 1;
                    }
                }
                _ => end = text.ceil_char_boundary(end),
            }
            self.out.push_str(&text[at..end]);
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
            at = end;
        }
        Some(())
    }

    /// Copies a string, including its quotes.
    fn text(&mut self, quoted: &str, may_be_key: bool) -> Option<()> {
        let is_control = |byte: u8| byte < b' ';
        if quoted.bytes().any(is_control) {
            for c in quoted.chars() {
                match c {
                    '\n' => self.out.push_str("\\n"),
                    '\r' => self.out.push_str("\\r"),
                    '\t' => self.out.push_str("\\t"),
                    c if c < ' ' => self.out.push_str(&format!("\\u{:04x}", u32::from(c))),
                    c => self.out.push(c),
                }
            }
            self.note(self.frames.len(), Change::ControlCharacters)?;
        } else {
            self.out.push_str(quoted);
        }
        if let Some(Frame::Object(key)) = self.frames.last_mut()
            && may_be_key
        {
            *key = from_str(quoted).unwrap_or_default();
        }
        Some(())
    }

    /// Records a change to the value inside the first `frames` frames.
    fn note(&mut self, frames: usize, change: Change) -> Option<()> {
        if self.repairs.len() >= MOST_REPAIRS {
            return None;
        }
        let path = path(self.at, &self.frames[..frames]);
        self.repairs.push(Repair { path, change });
        Some(())
    }
}

fn path(at: &Place<'_>, frames: &[Frame]) -> String {
    match frames {
        [] => at.path(),
        [Frame::List(index), rest @ ..] => path(&Place::Index(at, *index), rest),
        [Frame::Object(key), rest @ ..] => path(&Place::Key(at, key), rest),
    }
}

/// Returns the end of the string that starts at the quote at `at`.
fn end_of_text(bytes: &[u8], at: usize) -> usize {
    bytes.len() - behind_string(&bytes[at + 1..]).len()
}
