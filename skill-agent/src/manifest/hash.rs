//! What a document held when it was loaded, so that another one is never served in its place.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// SHA-256 over the bytes of a SKILL.md; of an embedded document over its JSON, of a catalog over what it offers.
///
/// People trust documents of [`discovered`](super::Source::discovered) sources by their hash, so that one is over the files
/// that the document brings as well: a script that changes makes another hash. The files are those of
/// [`Catalog::resources`](super::Catalog::resources). Hidden ones and links are not served, and the hash says nothing of
/// them. Without files, and in a source that the program names, it is over the bytes of the SKILL.md alone.
///
/// It is written as 64 hexadecimal digits, so that a program can keep what a person trusted.
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
    /// The hash of bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash of parts in their order.
    pub(crate) fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self::after(Sha256::new(), parts)
    }

    /// The hash of a document, which this is, together with those of the files that it brings, by their paths.
    pub(crate) fn with_files<'a>(self, files: impl Iterator<Item = (&'a str, &'a Self)>) -> Self {
        let mut files = files.peekable();
        if files.peek().is_none() {
            return self;
        }
        // no UTF-8 begins with this byte, so no text of a document alone has the same hash
        let all = Sha256::new().chain_update([0xFF]).chain_update(self.0);
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
            // the length keeps two parts apart
            all.update((part.len() as u64).to_le_bytes());
            all.update(part);
        }
        Self(all.finalize().into())
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

/// A text that is no [`ContentHash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a content hash is 64 hexadecimal digits")]
pub struct ParseHashError;

impl FromStr for ContentHash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Self, ParseHashError> {
        // `from_str_radix` takes signs too
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
