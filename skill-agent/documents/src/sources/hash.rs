//! Content hashes, which detect changed documents.

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The SHA-256 hash of a SKILL.md file, of an embedded document's JSON, or of a catalog's offered documents.
///
/// People trust documents from [`discovered`](crate::Source::discovered) sources by their hash. That hash therefore also covers
/// every file below the document's folder, even hidden files, because a script may use any of them.
/// [`Catalog::resources_listed`](crate::Catalog::resources_listed) lists these files. For a document without files, or in a
/// source that is not discovered, the hash covers only the bytes of the SKILL.md file.
///
/// The text form is 64 hexadecimal digits. Store this text to remember a person's trust.
///
/// ```
/// use skill_agent::manifest::ContentHash;
///
/// let hash = ContentHash::of(b"# Plan\n");
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Returns the SHA-256 hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::hash(bytes))
    }

    /// Hashes several parts in order.
    pub(crate) fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self::after(Sha256::new(), parts)
    }

    /// Combines a document's hash, `self`, with the paths and hashes of its bundled files.
    pub(crate) fn with_files<'a>(self, files: impl Iterator<Item = (&'a str, &'a Self)>) -> Self {
        let mut files = files.peekable();
        if files.peek().is_none() {
            return self;
        }
        // UTF-8 text never starts with this byte, so the hash differs from the hash of any document without files
        let mut all = Sha256::new();
        all.update([0xFF]);
        all.update(self.0);
        Self::after(
            all,
            files.flat_map(|(path, hash)| [path.as_bytes(), hash.as_bytes()]),
        )
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn after<'a>(mut all: Sha256, parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        for part in parts {
            // the length separates the parts
            all.update((part.len() as u64).to_le_bytes());
            all.update(part);
        }
        Self(all.finalize())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// The error for text that is not a valid [`ContentHash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a content hash is 64 hexadecimal digits")]
pub struct ParseHashError;

impl FromStr for ContentHash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Self, ParseHashError> {
        // `from_str_radix` would accept signs
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParseHashError);
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| ParseHashError)?;
        }
        Ok(Self(hash))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
