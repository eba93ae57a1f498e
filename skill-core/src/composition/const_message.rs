//! Text that is built in const evaluation.

/// The capacity of a message: enough for several clashes of one skill, each with two paths and two names.
const ROOM: usize = 4096;

/// Text in a fixed buffer. Parts that do not fit are left out.
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
    /// Creates an empty message.
    pub const fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            length: 0,
        }
    }

    /// Whether the message is empty.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends the parts, up to the first that does not fit.
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

    /// Separates a further clash from the ones before.
    pub const fn separate(self) -> Self {
        if self.is_empty() {
            self
        } else {
            self.push(&["; also: "])
        }
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "a message that is not UTF-8",
        }
    }
}
