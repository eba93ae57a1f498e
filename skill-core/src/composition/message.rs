//! A sentence put together in const evaluation.

/// Room for the longest message: several mistakes of one skill, each with two paths and two names.
const ROOM: usize = 4096;

/// Text in a fixed buffer. What does not fit is cut at the end, never refused.
#[derive(Clone, Debug)]
pub struct ConstMessage {
    bytes: [u8; ROOM],
    length: usize,
}

impl Default for ConstMessage {
    fn default() -> Self {
        Self::new()
    }
}

impl ConstMessage {
    /// Nothing said.
    pub const fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            length: 0,
        }
    }

    /// Whether nothing is said.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends each part.
    pub const fn push(mut self, parts: &[&str]) -> Self {
        let mut p = 0;
        while p < parts.len() {
            let part = parts[p].as_bytes();
            if self.length + part.len() > ROOM {
                return self;
            }
            let mut i = 0;
            while i < part.len() {
                self.bytes[self.length] = part[i];
                self.length += 1;
                i += 1;
            }
            p += 1;
        }
        self
    }

    /// Begins a further mistake of the same skill.
    pub const fn separate(self) -> Self {
        if self.is_empty() {
            self
        } else {
            self.push(&["; also: "])
        }
    }

    /// What is said.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "a message that is not UTF-8",
        }
    }
}
