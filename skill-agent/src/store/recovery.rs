//! Decodes the frames of an entry.

use super::damage::{Damage, Flaw};
use super::encoding::decode;
use super::error::StoreError;
use super::frame::{self, FORMAT, Frame, PayloadKind};
use super::record::Record;
use super::snapshot::Snapshot;
use serde::de::DeserializeOwned;

/// The content of an entry.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// The newest snapshot.
    pub snapshot: Option<Snapshot>,
    /// The records after the snapshot, in order.
    pub records: Vec<Record>,
    /// The damaged end that was cut off.
    pub damage: Option<Damage>,
}

impl Recovered {
    /// Returns the number of the last record, or 0 for an empty entry.
    pub fn last_seq(&self) -> u64 {
        let snapshot = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        self.records.last().map_or(snapshot, |record| record.seq)
    }
}

/// Decodes an entry frame by frame, up to the first invalid one.
pub(super) struct Replay<'a> {
    id: &'a str,
    place: &'a str,
    recovered: Recovered,
}

impl<'a> Replay<'a> {
    /// Starts with the snapshot. An unreadable snapshot is an error, because it is not a tail that could be cut off.
    pub(super) fn new(
        id: &'a str,
        place: &'a str,
        snapshot: Option<&[u8]>,
    ) -> Result<Self, StoreError> {
        let mut replay = Self {
            id,
            place,
            recovered: Recovered::default(),
        };
        if let Some(bytes) = snapshot {
            let frame = match frame::read(id, PayloadKind::Snapshot, bytes) {
                Ok((frame, size)) if size == bytes.len() => frame,
                Ok(_) => return Err(replay.corrupt("its snapshot has a wrong length")),
                Err(flaw) => return Err(replay.corrupt(format!("its snapshot {flaw}"))),
            };
            let snapshot: Snapshot = replay.payload(&frame, "snapshot")?;
            if snapshot.seq != frame.seq {
                return Err(
                    replay.corrupt("the number in its snapshot differs from the one in the frame")
                );
            }
            replay.recovered.snapshot = Some(snapshot);
        }
        Ok(replay)
    }

    /// The number of the next record.
    pub(super) fn next_seq(&self) -> u64 {
        self.recovered.last_seq() + 1
    }

    /// Decodes the record at the start of `bytes` and returns its length, or the flaw of a damaged record.
    pub(super) fn read_record(&mut self, bytes: &[u8]) -> Result<Result<usize, Flaw>, StoreError> {
        let (frame, size) = match frame::read(self.id, PayloadKind::Record, bytes) {
            Ok(read) => read,
            Err(flaw) => return Ok(Err(flaw)),
        };
        let found = frame.seq;
        if found != self.next_seq() {
            return self.gap(found).map(Err);
        }
        let record: Record = self.payload(&frame, "record")?;
        if record.seq != found {
            return Err(self.corrupt(format!(
                "the number in its record {found} differs from the one in the frame"
            )));
        }
        self.recovered.records.push(record);
        Ok(Ok(size))
    }

    /// Decodes a record that must span all of `bytes`.
    #[cfg(feature = "redb")]
    pub(super) fn read_whole_record(
        &mut self,
        bytes: &[u8],
    ) -> Result<Result<(), Flaw>, StoreError> {
        if let Ok((_, size)) = frame::read(self.id, PayloadKind::Record, bytes)
            && size != bytes.len()
        {
            return Ok(Err(Flaw::Torn {
                expected: size as u64,
                found: bytes.len() as u64,
            }));
        }
        Ok(self.read_record(bytes)?.map(drop))
    }

    /// Reports that record `found` follows where another one is missing. If nothing precedes the gap, cutting off there
    /// would lose everything, which is an error.
    pub(super) fn gap(&self, found: u64) -> Result<Flaw, StoreError> {
        if self.next_seq() == 1 && self.recovered.snapshot.is_none() {
            let reason =
                format!("it begins with record {found}, and the records before that are missing");
            return Err(self.corrupt(reason));
        }
        Ok(Flaw::Missing { found })
    }

    /// Ends the log before the next record, for this reason.
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

    /// Decodes a payload. Its checksum is valid, so a failure is an error, not damage that could be cut off.
    fn payload<T: DeserializeOwned>(&self, frame: &Frame<'_>, what: &str) -> Result<T, StoreError> {
        if frame.format > FORMAT {
            return Err(StoreError::Format {
                place: self.place.to_owned(),
                found: frame.format.into(),
                known: FORMAT.into(),
            });
        }
        decode(frame.payload).map_err(|error| {
            let reason = format!("its {what} {} cannot be decoded: {error}", frame.seq);
            self.corrupt(reason)
        })
    }

    fn corrupt(&self, reason: impl std::fmt::Display) -> StoreError {
        StoreError::Corrupt {
            place: self.place.to_owned(),
            reason: format!("the log of `{}`: {reason}", self.id),
        }
    }
}
