//! From frames to what they say.

use super::damage::{Damage, Flaw};
use super::encoding::decode;
use super::error::StoreError;
use super::frame::{self, FORMAT, Frame, What};
use super::record::Record;
use super::snapshot::Snapshot;
use serde::de::DeserializeOwned;

/// The content of an entry.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// The newest snapshot.
    pub snapshot: Option<Snapshot>,
    /// The records behind it, in order.
    pub records: Vec<Record>,
    /// The damaged end that was cut off.
    pub damage: Option<Damage>,
}

impl Recovered {
    /// The number of the last record, 0 in an empty entry.
    pub fn last_seq(&self) -> u64 {
        let snapshot = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        self.records.last().map_or(snapshot, |record| record.seq)
    }
}

/// Reads an entry frame by frame, up to the first that is not in order.
pub(super) struct Replay<'a> {
    id: &'a str,
    place: &'a str,
    recovered: Recovered,
}

impl<'a> Replay<'a> {
    /// Begins with the snapshot. One that cannot be read is no tail that could be cut off.
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
            let frame = match frame::read(id, What::Snapshot, bytes) {
                Ok((frame, size)) if size == bytes.len() => frame,
                Ok(_) => return Err(replay.corrupt("its snapshot has a wrong length")),
                Err(flaw) => return Err(replay.corrupt(format!("its snapshot {flaw}"))),
            };
            let snapshot: Snapshot = replay.payload(&frame, "snapshot")?;
            if snapshot.seq != frame.seq {
                return Err(replay.corrupt("its snapshot has two numbers"));
            }
            replay.recovered.snapshot = Some(snapshot);
        }
        Ok(replay)
    }

    /// The number that the next record must have.
    pub(super) fn next(&self) -> u64 {
        self.recovered.last_seq() + 1
    }

    /// Takes the record that `bytes` begin with, and says how long it was; or what is wrong with it.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Result<usize, Flaw>, StoreError> {
        let (frame, size) = match frame::read(self.id, What::Record, bytes) {
            Ok(read) => read,
            Err(flaw) => return Ok(Err(flaw)),
        };
        let found = frame.seq;
        if found != self.next() {
            return self.gap(found).map(Err);
        }
        let record: Record = self.payload(&frame, "record")?;
        if record.seq != found {
            return Err(self.corrupt(format!("its record {found} has two numbers")));
        }
        self.recovered.records.push(record);
        Ok(Ok(size))
    }

    /// Takes a record that `bytes` are all of.
    #[cfg(feature = "redb")]
    pub(super) fn take_all(&mut self, bytes: &[u8]) -> Result<Result<(), Flaw>, StoreError> {
        if let Ok((_, size)) = frame::read(self.id, What::Record, bytes)
            && size != bytes.len()
        {
            return Ok(Err(Flaw::Torn {
                expected: size as u64,
                found: bytes.len() as u64,
            }));
        }
        Ok(self.take(bytes)?.map(drop))
    }

    /// Another record is at the position of the next one. If no record precedes it, a cut would lose everything.
    pub(super) fn gap(&self, found: u64) -> Result<Flaw, StoreError> {
        if self.next() == 1 && self.recovered.snapshot.is_none() {
            let reason = format!("it begins with record {found}, without what was before it");
            return Err(self.corrupt(reason));
        }
        Ok(Flaw::Missing { found })
    }

    /// Ends before the record `next`, for this reason.
    pub(super) fn cut(&mut self, reason: Flaw, bytes: u64, records: Option<u64>) {
        self.recovered.damage = Some(Damage {
            id: self.id.to_owned(),
            at_seq: self.next(),
            reason,
            dropped_bytes: bytes,
            dropped_records: records,
        });
    }

    pub(super) fn finish(self) -> Recovered {
        self.recovered
    }

    /// A payload whose checksum is right is no damage: it is read, or left alone.
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
