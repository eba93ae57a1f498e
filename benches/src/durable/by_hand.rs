//! Stores that are written by hand, for one agent each.

use super::Bench;
use super::agent::{ID, STEP, close, start};
use crate::calls::typed::Counter;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use rusqlite::Connection;
use skill_agent::store::encode;
use std::path::Path;

/// The length of a frame's header; the checksum is its last part.
const HEADER: usize = 20;
const CHECKSUM: usize = 16;

/// The file of the server from which the change is taken.
pub const RECORDED: &str = "recorded.redb";

/// The record and the state that a call of [`STEP`] stores.
#[derive(Clone)]
pub struct Change {
    /// The frame of its record, as the server writes it.
    frame: Vec<u8>,
    /// The state after it.
    state: Vec<u8>,
}

impl Change {
    /// Takes the frame from the file of a server.
    pub fn recorded(bench: &Bench<'_>) -> Self {
        let path = bench.path(RECORDED);
        let server = start(bench, &path);
        bench.runtime.block_on(async {
            server.call(STEP).await.expect("the call succeeds");
            close(server).await;
        });
        let mut frames = frames(&path);
        Self {
            frame: frames.pop().expect("there is a record"),
            state: encode(&Counter { count: 1 }).expect("the state is encoded"),
        }
    }

    /// Returns the frame with another number.
    fn numbered(&self, seq: u64) -> Vec<u8> {
        let mut frame = self.frame.clone();
        frame[8..CHECKSUM].copy_from_slice(&seq.to_le_bytes());
        let sum = checksum(&frame);
        frame[CHECKSUM..HEADER].copy_from_slice(&sum.to_le_bytes());
        frame
    }

    pub fn size(&self) -> usize {
        self.frame.len()
    }
}

fn checksum(frame: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(ID.as_bytes());
    sum.update(&frame[..CHECKSUM]);
    sum.update(&frame[HEADER..]);
    sum.finalize()
}

/// Opens a file of the server, verifies it as the server does, and returns the frames of snapshots and records, the latter last.
pub fn frames(path: &Path) -> Vec<Vec<u8>> {
    const SNAPSHOTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("snapshots");
    const RECORDS: TableDefinition<'_, (&str, u64), &[u8]> = TableDefinition::new("records");
    let database = redb::Builder::new()
        .set_check_integrity_on_open(true)
        .create(path);
    let database = database.expect("the file opens");
    let read = database.begin_read().expect("the file can be read");
    let snapshots = read.open_table(SNAPSHOTS).expect("there are snapshots");
    let records = read.open_table(RECORDS).expect("there are records");
    let snapshots = snapshots.iter().expect("the snapshots are read");
    let records = records.iter().expect("the records are read");
    let snapshots = snapshots.map(|entry| entry.map(|(_, frame)| frame.value().to_vec()));
    let records = records.map(|entry| entry.map(|(_, frame)| frame.value().to_vec()));
    let frames = snapshots.chain(records).collect::<Result<Vec<_>, _>>();
    let frames = frames.expect("all frames are read");
    for frame in &frames {
        assert_eq!(
            frame[CHECKSUM..HEADER],
            checksum(frame).to_le_bytes(),
            "the frame is whole"
        );
    }
    frames
}

/// A store that commits changes.
pub trait ByHand {
    /// Stores `count` changes in one commit.
    fn commit(&mut self, count: u64);
}

const LOG: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("log");

/// A redb file with one table.
pub struct RedbByHand {
    database: Database,
    change: Change,
    last: u64,
    keeps_state: bool,
}

impl RedbByHand {
    /// `keeps_state` also stores the state, in the row 0.
    pub fn create(path: &Path, change: &Change, keeps_state: bool) -> Self {
        Self {
            database: Database::create(path).expect("the file is created"),
            change: change.clone(),
            last: 0,
            keeps_state,
        }
    }

    fn write(&mut self, count: u64) -> Result<(), redb::Error> {
        // `Durability::Immediate` is the default
        let transaction = self.database.begin_write()?;
        {
            let mut log = transaction.open_table(LOG)?;
            for _ in 0..count {
                self.last += 1;
                log.insert(self.last, &*self.change.numbered(self.last))?;
            }
            if self.keeps_state {
                log.insert(0, &*self.change.state)?;
            }
        }
        Ok(transaction.commit()?)
    }
}

impl ByHand for RedbByHand {
    fn commit(&mut self, count: u64) {
        self.write(count).expect("the change is committed");
    }
}

/// A SQLite file with one table.
pub struct SqliteByHand {
    connection: Connection,
    change: Change,
    last: i64,
}

impl SqliteByHand {
    pub fn create(path: &Path, change: &Change) -> Self {
        let connection = Connection::open(path).expect("the file is created");
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE log (seq INTEGER PRIMARY KEY, frame BLOB NOT NULL);",
            )
            .expect("the table is created");
        Self {
            connection,
            change: change.clone(),
            last: 0,
        }
    }

    fn write(&mut self, count: u64) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO log VALUES (?1, ?2)")?;
            for _ in 0..count {
                self.last += 1;
                let seq = self.last.unsigned_abs();
                insert.execute((self.last, self.change.numbered(seq)))?;
            }
        }
        transaction.commit()
    }
}

impl ByHand for SqliteByHand {
    fn commit(&mut self, count: u64) {
        self.write(count).expect("the change is committed");
    }
}
