//! Encodes values as MessagePack with field names.
//!
//! Types are encoded in their human-readable form (`is_human_readable`), like in JSON. serde's buffered code paths (untagged and
//! tagged enums, flatten) always use that form, so a type with two forms (`IpAddr`, a UUID) could otherwise be written in one
//! form and read in the other. The same form also makes the JSON of a stored state equal to what the skill's own serde
//! implementation would write.

use rmp_serde::{Deserializer, Serializer};
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny};
use std::marker::PhantomData;

/// The maximum nesting depth of a value. The MessagePack reader has a limit but the writer has none, so without this limit, a
/// state could be acknowledged that cannot be read back.
const MAX_DEPTH: usize = 512;

/// The error returned by [`encode`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct EncodeError {
    /// The reason, for people to read.
    pub message: String,
}

/// The error returned by [`decode`]: the bytes are not an encoded value of the requested type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct DecodeError {
    /// The reason, for people to read.
    pub message: String,
}

/// Encodes a value as MessagePack with field names, preserving NaN and infinity.
///
/// ```
/// use skill_agent::store::{decode, encode};
/// let bytes = encode(&[f64::INFINITY, 1.0])?;
/// assert_eq!(decode::<Vec<f64>>(&bytes)?, [f64::INFINITY, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the value's `Serialize` implementation fails or if the value is nested more than 512 levels deep.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    encode_unchecked(&mut bytes, value)?;
    ensure_decodes(&bytes)?;
    Ok(bytes)
}

/// Appends the encoded value to `bytes`, for a type of this crate, which is only decoded if it may be nested too deeply: each level
/// takes a byte.
pub(crate) fn encode_onto<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Result<(), EncodeError> {
    let start = bytes.len();
    encode_unchecked(bytes, value)?;
    match &bytes[start..] {
        small if small.len() <= MAX_DEPTH => Ok(()),
        large => ensure_decodes(large),
    }
}

fn ensure_decodes(bytes: &[u8]) -> Result<(), EncodeError> {
    decode::<IgnoredAny>(bytes)
        .map(drop)
        .map_err(|error| EncodeError {
            message: format!("the encoded value cannot be decoded: {error}"),
        })
}

/// Appends the encoded value to `bytes`. Does not check the nesting depth, so the value may be impossible to decode.
pub fn encode_unchecked<T: Serialize + ?Sized>(
    bytes: &mut Vec<u8>,
    value: &T,
) -> Result<(), EncodeError> {
    let mut serializer = Serializer::new(bytes)
        .with_struct_map()
        .with_human_readable();
    let written = value.serialize(&mut serializer);
    written.map_err(|error| EncodeError {
        message: error.to_string(),
    })
}

/// Decodes a value written by [`encode`].
///
/// # Errors
/// Returns an error if the bytes are not MessagePack, not a `T`, or contain more than one value.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    decode_seed(PhantomData, bytes)
}

/// Decodes a value written by [`encode`], with a [`DeserializeSeed`].
///
/// # Errors
/// Returns the same errors as [`decode`].
pub fn decode_seed<'de, S: DeserializeSeed<'de>>(
    seed: S,
    bytes: &[u8],
) -> Result<S::Value, DecodeError> {
    let decode_error = |message: String| DecodeError { message };
    let mut rest = bytes;
    let mut deserializer = Deserializer::new(&mut rest).with_human_readable();
    deserializer.set_max_depth(MAX_DEPTH + 1);
    let value = seed
        .deserialize(&mut deserializer)
        .map_err(|error| decode_error(error.to_string()))?;
    match rest.len() {
        0 => Ok(value),
        trailing => Err(decode_error(format!(
            "trailing bytes after the value: {trailing}"
        ))),
    }
}

/// Serializes bytes as MessagePack's `bin` type, because serde writes a `Vec<u8>` as a list of numbers by default.
pub(crate) mod bytes {
    use serde::de::{Deserializer, Error, SeqAccess, Visitor};
    use serde::ser::Serializer;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }

    struct Bytes;

    impl<'de> Visitor<'de> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }

        // Formats without a byte type, such as JSON, write bytes as a list.
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u8>, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = list.next_element()? {
                bytes.push(byte);
            }
            Ok(bytes)
        }
    }
}
