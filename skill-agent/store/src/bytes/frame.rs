//! The frame around a payload, in the format that the crate documentation describes.

use crate::bytes::damage::Flaw;
use crate::bytes::encoding::encode_onto;
use crate::error::Refusal;
use serde::Serialize;

/// The newest payload format.
pub(crate) const FORMAT: u8 = 1;
pub(crate) const HEADER: usize = 20;
const MAGIC: u8 = 0xa9;

/// The kind of a payload, with its tag byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PayloadKind {
    Record = b'R' as isize,
    Snapshot = b'S' as isize,
}

impl PayloadKind {
    /// Returns the maximum frame size in bytes. It is larger for snapshots, because a snapshot contains the whole agent, and
    /// because the log would only grow without snapshots.
    pub(crate) fn limit(self) -> usize {
        match self {
            Self::Record => 64 << 20,
            Self::Snapshot => 1 << 30,
        }
    }
}

/// A frame with a valid checksum.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) format: u8,
    pub(crate) seq: u64,
    pub(crate) payload: &'a [u8],
}

/// Writes a frame for the log `id`.
pub(crate) fn write<T: Serialize>(
    id: &str,
    kind: PayloadKind,
    seq: u64,
    value: &T,
) -> Result<Vec<u8>, Refusal> {
    let mut bytes = vec![MAGIC, FORMAT, kind as u8, 0];
    bytes.resize(HEADER, 0);
    encode_onto(&mut bytes, value).map_err(|source| Refusal::Encode { seq, source })?;
    let too_large = Refusal::TooLarge {
        seq,
        size: bytes.len(),
        limit: kind.limit(),
    };
    if bytes.len() > kind.limit() {
        return Err(too_large);
    }
    let length = u32::try_from(bytes.len() - HEADER).map_err(|_| too_large)?;
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes[8..16].copy_from_slice(&seq.to_le_bytes());
    let sum = checksum(id, &bytes);
    bytes[16..20].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// Reads a frame of the log `id` at the start of `bytes`. Returns the frame and its length.
pub(crate) fn read<'a>(
    id: &str,
    kind: PayloadKind,
    bytes: &'a [u8],
) -> Result<(Frame<'a>, usize), Flaw> {
    let torn = |expected: usize| Flaw::Torn {
        expected: expected as u64,
        found: bytes.len() as u64,
    };
    if bytes.len() < HEADER {
        return Err(torn(HEADER));
    }
    if (bytes[0], bytes[2], bytes[3]) != (MAGIC, kind as u8, 0) {
        return Err(Flaw::Beginning);
    }
    let size = HEADER.saturating_add(number(&bytes[4..8]) as usize);
    let Some(frame) = bytes.get(..size) else {
        return Err(torn(size));
    };
    if number(&frame[16..20]) != u64::from(checksum(id, frame)) {
        return Err(Flaw::Checksum);
    }
    let frame = Frame {
        format: frame[1],
        seq: number(&frame[8..16]),
        payload: &frame[HEADER..],
    };
    Ok((frame, size))
}

/// Computes the checksum of the id, the header without its checksum field, and the payload.
fn checksum(id: &str, frame: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(id.as_bytes());
    sum.update(&frame[..16]);
    sum.update(&frame[HEADER..]);
    sum.finalize()
}

/// Reads a little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
