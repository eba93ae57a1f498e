//! The side tables for keys and outputs.
//!
//! In `call_keys`, `held_keys` and `signal_keys`, the key of a row starts with a record number, so that new rows come last and the
//! engine writes only a few pages for each commit. If keys were only hashes, each row would change a different page. For the same
//! reason, the output of a command is in the row of its key. Rows are never looked up by their hash.

use super::call_keys::CallRow;
use super::held_keys::{HeldKey, HeldRow};
use super::row_key::{CallKey, SignalKey};
use crate::numbered::{numbered, read_rows, split_number, unknown_row};
use skill_agent_store::{ArgumentsHash, Log, LogFuture, Row, StoreError};

/// The numbers of instances, by state key.
pub(super) const INSTANCES: &str = "instances";
/// The keys of calls, with their outputs.
pub(super) const CALLS: &str = "call_keys";
/// The held keys of calls, with their outputs.
pub(super) const HELD: &str = "held_keys";
/// The keys of signals, with their outputs.
pub(super) const SIGNALS: &str = "signal_keys";
/// The decisions on approval requests, by request id. The value is the record number, followed by the decision: a rejection, or
/// the output of an approved request unless it was evicted.
pub(super) const DECISIONS: &str = "decisions";
/// Two rows for all approval requests, [`SECRET`] and [`FORGOTTEN`], whose values start with the record number.
pub(super) const APPROVALS: &str = "approvals";
/// The row with the secret for seals.
pub(super) const SECRET: &str = "secret";
/// The row with the newest request whose decision was evicted.
pub(super) const FORGOTTEN: &str = "forgotten";

/// The rows of a log's tables for keys, in record order. The output of a call or signal is empty if it was evicted.
#[derive(Default)]
pub(crate) struct KeyTables {
    pub(super) instances: Vec<(String, u32)>,
    pub(super) calls: Vec<(CallKey, CallRow, Vec<u8>)>,
    pub(super) held: Vec<(HeldKey, HeldRow)>,
    pub(super) signals: Vec<(SignalKey, SignalRow, Vec<u8>)>,
    pub(super) decisions: Vec<(String, ValueRow)>,
    pub(super) approvals: Vec<(String, ValueRow)>,
}

/// The row of a signal's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SignalRow {
    pub(super) seq: u64,
    /// A hash of the signal's source.
    pub(super) source: u64,
}

/// A row with a value of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueRow {
    pub(super) seq: u64,
    pub(super) value: Vec<u8>,
}

impl KeyTables {
    /// Reads the tables of a log.
    ///
    /// # Errors
    /// Returns errors from the log, and [`StoreError::Corrupt`] for an unreadable row.
    pub(crate) fn read(log: &mut dyn Log) -> LogFuture<'_, Self> {
        // The future is boxed, so that its code is compiled here and not with each agent.
        Box::pin(Self::read_all(log))
    }

    async fn read_all(log: &mut dyn Log) -> Result<Self, StoreError> {
        Ok(Self {
            instances: read(log, INSTANCES, |key, value| {
                let key = String::from_utf8(key.to_vec()).ok()?;
                Some((key, u32::from_be_bytes(value.try_into().ok()?)))
            })
            .await?,
            calls: read(log, CALLS, |key, value| {
                let (seq, key) = split_number(key)?;
                let (row, output) = CallRow::from_bytes(seq, value)?;
                Some((key.try_into().ok()?, row, output.to_vec()))
            })
            .await?,
            held: read(log, HELD, |key, value| {
                let (seq, key) = split_number(key)?;
                Some((key.try_into().ok()?, HeldRow::from_bytes(seq, value)?))
            })
            .await?,
            signals: read(log, SIGNALS, |key, value| {
                let (seq, key) = split_number(key)?;
                let (source, output) = split_number(value)?;
                let row = SignalRow { seq, source };
                Some((key.try_into().ok()?, row, output.to_vec()))
            })
            .await?,
            decisions: read_by_seq(log, DECISIONS).await?,
            approvals: read_by_seq(log, APPROVALS).await?,
        })
    }
}

async fn read_by_seq(
    log: &mut dyn Log,
    table: &'static str,
) -> Result<Vec<(String, ValueRow)>, StoreError> {
    let mut rows = read(log, table, |key, value| {
        let key = String::from_utf8(key.to_vec()).ok()?;
        Some((key, ValueRow::from_bytes(value)?))
    })
    .await?;
    rows.sort_by_key(|(_, row)| row.seq);
    Ok(rows)
}

async fn read<T>(
    log: &mut dyn Log,
    table: &'static str,
    parse: impl Fn(&[u8], &[u8]) -> Option<T>,
) -> Result<Vec<T>, StoreError> {
    let parse = |(key, value): Row| {
        let row = parse(&key, &value);
        row.map(Some).ok_or_else(|| unknown_row(table))
    };
    read_rows(log, table, Vec::new(), None, parse).await
}

impl CallRow {
    /// Encodes the row and the command's output, which may be empty.
    pub(super) fn to_bytes(self, output: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(25 + output.len());
        bytes.extend(self.at.to_be_bytes());
        bytes.push(u8::from(self.is_foreign) | (u8::from(self.arguments.is_some()) << 1));
        extend_by_hash(&mut bytes, self.arguments);
        bytes.extend(output);
        bytes
    }

    /// Decodes a row and the command's output.
    fn from_bytes(seq: u64, bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (at, rest) = split_number(bytes)?;
        let (&flags @ 0..4, rest) = rest.split_first()? else {
            return None;
        };
        let (arguments, output) = split_hash(flags & 2 != 0, rest)?;
        let row = Self {
            seq,
            at,
            is_foreign: flags & 1 != 0,
            arguments,
        };
        Some((row, output))
    }
}

fn extend_by_hash(bytes: &mut Vec<u8>, arguments: Option<ArgumentsHash>) {
    if let Some(ArgumentsHash { value, schema }) = arguments {
        bytes.extend(value.to_be_bytes());
        bytes.extend(schema.to_be_bytes());
    }
}

fn split_hash(has_hash: bool, bytes: &[u8]) -> Option<(Option<ArgumentsHash>, &[u8])> {
    if !has_hash {
        return Some((None, bytes));
    }
    let (value, rest) = split_number(bytes)?;
    let (schema, rest) = split_number(rest)?;
    Some((Some(ArgumentsHash { value, schema }), rest))
}

impl HeldRow {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.at.to_be_bytes().to_vec();
        bytes.push(u8::from(self.arguments.is_some()));
        extend_by_hash(&mut bytes, self.arguments);
        bytes.extend(&self.answer);
        bytes
    }

    fn from_bytes(seq: u64, bytes: &[u8]) -> Option<Self> {
        let (at, rest) = split_number(bytes)?;
        let (&has_hash @ 0..2, rest) = rest.split_first()? else {
            return None;
        };
        let (arguments, answer) = split_hash(has_hash == 1, rest)?;
        Some(Self {
            seq,
            at,
            arguments,
            answer: answer.to_vec(),
        })
    }
}

impl SignalRow {
    /// Encodes the row and the signal's output, which may be empty.
    pub(super) fn to_bytes(self, output: &[u8]) -> Vec<u8> {
        numbered(self.source, output)
    }
}

impl ValueRow {
    pub(super) fn to_bytes(seq: u64, value: &[u8]) -> Vec<u8> {
        numbered(seq, value)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (seq, value) = split_number(bytes)?;
        let value = value.to_vec();
        Some(Self { seq, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written_and_others_are_refused() {
        let arguments = Some(ArgumentsHash {
            value: 3,
            schema: 4,
        });
        for (arguments, is_foreign) in [(None, true), (arguments, false)] {
            let row = CallRow {
                seq: 1,
                at: 2,
                is_foreign,
                arguments,
            };
            for output in [&[][..], &[5, 6]] {
                let bytes = row.to_bytes(output);
                assert_eq!(CallRow::from_bytes(1, &bytes), Some((row, output)));
            }
            let mut bytes = row.to_bytes(&[]);
            for end in 0..bytes.len() {
                assert_eq!(CallRow::from_bytes(1, &bytes[..end]), None, "{end} bytes");
            }
            bytes[8] |= 4;
            assert_eq!(CallRow::from_bytes(1, &bytes), None, "an unknown flag");
        }
        for arguments in [None, arguments] {
            let row = HeldRow {
                seq: 1,
                at: 2,
                arguments,
                answer: vec![5, 6],
            };
            let bytes = row.to_bytes();
            assert_eq!(HeldRow::from_bytes(1, &bytes), Some(row));
            assert_eq!(HeldRow::from_bytes(1, &bytes[..8]), None);
        }
        let value = vec![5, 6];
        let bytes = ValueRow::to_bytes(1, &value);
        let row = ValueRow { seq: 1, value };
        assert_eq!(ValueRow::from_bytes(&bytes), Some(row));
        assert_eq!(ValueRow::from_bytes(&bytes[..7]), None);
    }
}
