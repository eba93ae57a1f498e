//! The binary form of a row in a side table: a CRC-32 (little endian), then the value.
//!
//! The checksum includes the log, the table and the key, so that a row in the wrong place, because of a damaged index, is
//! detected. redb checks the pages of a file when it opens the file, but not pages that change while the file is open.

use crate::error::StoreError;

const HEADER: usize = 4;

/// Encodes a row for the log `id`.
pub(crate) fn write(id: &str, table: &str, key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut row = Vec::with_capacity(HEADER + value.len());
    row.extend(checksum(id, table, key, value).to_le_bytes());
    row.extend(value);
    row
}

/// Decodes a row from the log `id`. `place` appears in errors.
pub(crate) fn read(
    id: &str,
    place: &str,
    table: &str,
    key: &[u8],
    row: &[u8],
) -> Result<Vec<u8>, StoreError> {
    match row.split_first_chunk() {
        Some((sum, value)) if u32::from_le_bytes(*sum) == checksum(id, table, key, value) => {
            Ok(value.to_vec())
        }
        _ => Err(StoreError::corrupt(
            place,
            format!("the log of `{id}`: a row of its table `{table}` has a wrong checksum"),
        )),
    }
}

fn checksum(id: &str, table: &str, key: &[u8], value: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in [id.as_bytes(), table.as_bytes(), key] {
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    sum.update(value);
    sum.finalize()
}
