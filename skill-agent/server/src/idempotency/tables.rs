//! The side tables for keys and outputs.
//!
//! In `call_keys`, `held_keys`, `signal_keys` and `answers`, the key of a row starts with a record number, so that new rows come
//! last and the engine writes only a few pages for each commit. If keys were only hashes, each row would change a different page.
//! Rows are never looked up by their hash.

use super::call_keys::CallRow;
use super::held_keys::{HeldKey, HeldRow};
use super::row_key::{CallKey, SignalKey};
use crate::numbered::{numbered, read_rows, split_number, unknown_row};
use skill_agent_store::{ArgumentsHash, Log, LogFuture, Row, StoreError};

/// The numbers of instances, by state key.
pub(super) const INSTANCES: &str = "instances";
/// The keys of calls.
pub(super) const CALLS: &str = "call_keys";
/// The held keys of calls, with their outputs.
pub(super) const HELD: &str = "held_keys";
/// The keys of signals.
pub(super) const SIGNALS: &str = "signal_keys";
/// The decisions on approval requests, by request id. The value is the record number, followed by the rejection for a rejected
/// request. The output of an approved request is stored in `answers`.
pub(super) const DECISIONS: &str = "decisions";
/// The outputs of commands with keys.
pub(super) const ANSWERS: &str = "answers";
/// Two rows for all approval requests, [`SECRET`] and [`FORGOTTEN`], whose values start with the record number.
pub(super) const APPROVALS: &str = "approvals";
/// The row with the secret for seals.
pub(super) const SECRET: &str = "secret";
/// The row with the newest request whose decision was evicted.
pub(super) const FORGOTTEN: &str = "forgotten";

/// The rows of a log's tables for keys, in record order.
#[derive(Default)]
pub(crate) struct KeyTables {
    pub(super) instances: Vec<(String, u32)>,
    pub(super) calls: Vec<(CallKey, CallRow)>,
    pub(super) held: Vec<(HeldKey, HeldRow)>,
    pub(super) signals: Vec<(SignalKey, SignalRow)>,
    pub(super) decisions: Vec<(String, ValueRow)>,
    /// The outputs, with the record number moved from the key to the row.
    pub(super) answers: Vec<(Vec<u8>, ValueRow)>,
    /// The error if an output is damaged, in which case no outputs can be read.
    pub(crate) damaged_answers: Option<String>,
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
    /// Returns errors from the log, and [`StoreError::Corrupt`] for an unreadable row in any table except `answers`.
    pub(crate) fn read(log: &mut dyn Log) -> LogFuture<'_, Self> {
        // Boxed, so that it is compiled here and not with each agent.
        Box::pin(Self::read_all(log))
    }

    async fn read_all(log: &mut dyn Log) -> Result<Self, StoreError> {
        let answers = read(log, ANSWERS, |key, value| {
            let (seq, key) = split_number(key)?;
            let value = value.to_vec();
            Some((key.to_vec(), ValueRow { seq, value }))
        });
        let (answers, damaged_answers) = match answers.await {
            // outputs may be lost, but keys may not
            Err(StoreError::Corrupt { reason, .. }) => (Vec::new(), Some(reason)),
            read => (read?, None),
        };
        Ok(Self {
            instances: read(log, INSTANCES, |key, value| {
                let key = String::from_utf8(key.to_vec()).ok()?;
                Some((key, u32::from_be_bytes(value.try_into().ok()?)))
            })
            .await?,
            calls: read(log, CALLS, |key, value| {
                let (seq, key) = split_number(key)?;
                Some((key.try_into().ok()?, CallRow::from_bytes(seq, value)?))
            })
            .await?,
            held: read(log, HELD, |key, value| {
                let (seq, key) = split_number(key)?;
                Some((key.try_into().ok()?, HeldRow::from_bytes(seq, value)?))
            })
            .await?,
            signals: read(log, SIGNALS, |key, value| {
                let (seq, key) = split_number(key)?;
                Some((key.try_into().ok()?, SignalRow::from_bytes(seq, value)?))
            })
            .await?,
            decisions: read_by_seq(log, DECISIONS).await?,
            answers,
            damaged_answers,
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
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.at.to_be_bytes().to_vec();
        bytes.push(u8::from(self.is_foreign));
        bytes.extend(hash_bytes(self.arguments));
        bytes
    }

    fn from_bytes(seq: u64, bytes: &[u8]) -> Option<Self> {
        let (at, rest) = split_number(bytes)?;
        let (is_foreign, rest) = match rest {
            [0, rest @ ..] => (false, rest),
            [1, rest @ ..] => (true, rest),
            _ => return None,
        };
        let arguments = match rest {
            [] => None,
            rest => {
                let (arguments, []) = hash(rest)? else {
                    return None;
                };
                Some(arguments)
            }
        };
        Some(Self {
            seq,
            at,
            is_foreign,
            arguments,
        })
    }
}

fn hash_bytes(arguments: Option<ArgumentsHash>) -> Vec<u8> {
    let hash = arguments.map(|ArgumentsHash { value, schema }| {
        [value.to_be_bytes(), schema.to_be_bytes()].concat()
    });
    hash.unwrap_or_default()
}

fn hash(bytes: &[u8]) -> Option<(ArgumentsHash, &[u8])> {
    let (value, rest) = split_number(bytes)?;
    let (schema, rest) = split_number(rest)?;
    Some((ArgumentsHash { value, schema }, rest))
}

impl HeldRow {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.at.to_be_bytes().to_vec();
        bytes.push(u8::from(self.arguments.is_some()));
        bytes.extend(hash_bytes(self.arguments));
        bytes.extend(&self.answer);
        bytes
    }

    fn from_bytes(seq: u64, bytes: &[u8]) -> Option<Self> {
        let (at, rest) = split_number(bytes)?;
        let (arguments, answer) = match rest {
            [0, rest @ ..] => (None, rest),
            [1, rest @ ..] => {
                let (arguments, rest) = hash(rest)?;
                (Some(arguments), rest)
            }
            _ => return None,
        };
        Some(Self {
            seq,
            at,
            arguments,
            answer: answer.to_vec(),
        })
    }
}

impl SignalRow {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        self.source.to_be_bytes().to_vec()
    }

    fn from_bytes(seq: u64, bytes: &[u8]) -> Option<Self> {
        let (source, []) = split_number(bytes)? else {
            return None;
        };
        Some(Self { seq, source })
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
            let bytes = row.to_bytes();
            assert_eq!(CallRow::from_bytes(1, &bytes), Some(row));
            for end in 0..bytes.len() {
                let found = CallRow::from_bytes(1, &bytes[..end]);
                assert_eq!(found.is_some(), end == 9, "{end} bytes");
            }
            assert_eq!(CallRow::from_bytes(1, &[&*bytes, &[0]].concat()), None);
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
        let row = SignalRow { seq: 1, source: 2 };
        let bytes = row.to_bytes();
        assert_eq!(SignalRow::from_bytes(1, &bytes), Some(row));
        assert_eq!(SignalRow::from_bytes(1, &bytes[..7]), None);
        assert_eq!(SignalRow::from_bytes(1, &[&*bytes, &[0]].concat()), None);
        let value = vec![5, 6];
        let bytes = ValueRow::to_bytes(1, &value);
        let row = ValueRow { seq: 1, value };
        assert_eq!(ValueRow::from_bytes(&bytes), Some(row));
        assert_eq!(ValueRow::from_bytes(&bytes[..7]), None);
    }
}
