//! Decodes a log's frames.

use super::error::StoreError;
use crate::bytes::damage::{Damage, Flaw};
use crate::bytes::encoding::decode;
use crate::bytes::frame;
use crate::bytes::frame::{FORMAT, Frame, PayloadKind};
use crate::bytes::record::Record;
use crate::bytes::snapshot::Snapshot;
use serde::de::DeserializeOwned;

/// The recovered contents of a log.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// The newest snapshot, or `None` if none was written.
    pub snapshot: Option<Snapshot>,
    /// The records after the snapshot, in order.
    pub records: Vec<Record>,
    /// The damaged end of the log, if it was cut off.
    pub damage: Option<Damage>,
}

impl Recovered {
    /// Returns the number of the last record, or 0 for an empty log.
    pub fn last_seq(&self) -> u64 {
        let snapshot = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        self.records.last().map_or(snapshot, |record| record.seq)
    }
}

/// Decodes a log frame by frame, up to the first invalid frame.
pub(super) struct LogDecoder<'a> {
    id: &'a str,
    place: &'a str,
    recovered: Recovered,
}

/// The result of reading a record.
pub(super) enum ReadOutcome {
    /// A valid record, with its size in bytes.
    Record { size: usize },
    /// The log ends before this damaged record.
    Damaged(Flaw),
}

impl<'a> LogDecoder<'a> {
    /// Starts with the snapshot. An unreadable snapshot is an error, because it is not an end that could be cut off.
    pub(super) fn new(
        id: &'a str,
        place: &'a str,
        snapshot: Option<&[u8]>,
    ) -> Result<Self, StoreError> {
        let mut decoder = Self {
            id,
            place,
            recovered: Recovered::default(),
        };
        if let Some(bytes) = snapshot {
            let frame = match frame::read(id, PayloadKind::Snapshot, bytes) {
                Ok((frame, size)) if size == bytes.len() => frame,
                Ok(_) => return Err(decoder.corrupt("its snapshot has a wrong length")),
                Err(flaw) => return Err(decoder.corrupt(format!("its snapshot {flaw}"))),
            };
            let snapshot: Snapshot = decoder.payload(&frame, "snapshot")?;
            if snapshot.seq != frame.seq {
                return Err(
                    decoder.corrupt("the number in its snapshot differs from the one in the frame")
                );
            }
            decoder.recovered.snapshot = Some(snapshot);
        }
        Ok(decoder)
    }

    /// Returns the next record's number.
    pub(super) fn next_seq(&self) -> u64 {
        self.recovered.last_seq() + 1
    }

    /// Decodes the record at the start of `bytes`.
    pub(super) fn read_record(&mut self, bytes: &[u8]) -> Result<ReadOutcome, StoreError> {
        let (frame, size) = match frame::read(self.id, PayloadKind::Record, bytes) {
            Ok(read) => read,
            Err(flaw) => return Ok(ReadOutcome::Damaged(flaw)),
        };
        let found = frame.seq;
        if found != self.next_seq() {
            return self.gap(found).map(ReadOutcome::Damaged);
        }
        let record: Record = self.payload(&frame, "record")?;
        if record.seq != found {
            return Err(self.corrupt(format!(
                "the number in its record {found} differs from the one in the frame"
            )));
        }
        self.recovered.records.push(record);
        Ok(ReadOutcome::Record { size })
    }

    /// Decodes a record that must take up all of `bytes`.
    pub(super) fn read_whole_record(&mut self, bytes: &[u8]) -> Result<ReadOutcome, StoreError> {
        if let Ok((_, size)) = frame::read(self.id, PayloadKind::Record, bytes)
            && size != bytes.len()
        {
            return Ok(ReadOutcome::Damaged(Flaw::Torn {
                expected: size as u64,
                found: bytes.len() as u64,
            }));
        }
        self.read_record(bytes)
    }

    /// Reports that the record `found` follows a gap. If there is nothing before the gap, returns an error, because cutting off
    /// the log there would lose everything.
    pub(super) fn gap(&self, found: u64) -> Result<Flaw, StoreError> {
        if self.next_seq() == 1 && self.recovered.snapshot.is_none() {
            let reason =
                format!("it begins with record {found}, and the records before that are missing");
            return Err(self.corrupt(reason));
        }
        Ok(Flaw::Missing { found })
    }

    /// Ends the log before the next record, for the given reason.
    pub(super) fn cut_off(&mut self, reason: Flaw, bytes: u64, records: Option<u64>) {
        self.recovered.damage = Some(Damage {
            id: self.id.to_owned(),
            at_seq: self.next_seq(),
            reason,
            dropped_bytes: bytes,
            dropped_records: records,
        });
    }

    pub(super) fn finish(self) -> Recovered {
        self.recovered
    }

    /// Decodes a payload. Its checksum is valid, so a failure is an error rather than damage that can be cut off.
    fn payload<T: DeserializeOwned>(&self, frame: &Frame<'_>, what: &str) -> Result<T, StoreError> {
        if frame.format > FORMAT {
            return Err(StoreError::format(
                self.place,
                frame.format.into(),
                FORMAT.into(),
            ));
        }
        decode(frame.payload).map_err(|error| {
            let reason = format!("its {what} {} cannot be decoded: {error}", frame.seq);
            self.corrupt(reason)
        })
    }

    fn corrupt(&self, reason: impl std::fmt::Display) -> StoreError {
        StoreError::corrupt(self.place, format!("the log of `{}`: {reason}", self.id))
    }
}
