//! The tables of the file. Every change is one commit with redb's default durability, `Immediate`.

use crate::store::frame::FORMAT;
use ::redb::{Database, Error, ReadableDatabase, TableDefinition, TableError, WriteTransaction};

/// Metadata of the file: its format.
const METADATA: TableDefinition<'_, &str, u64> = TableDefinition::new("facts");
/// The newest snapshot of each log, as a frame.
const SNAPSHOTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("snapshots");
/// The records of each log by number, as frames.
const RECORDS: TableDefinition<'_, (&str, u64), &[u8]> = TableDefinition::new("records");

const FORMAT_OF_FILE: &str = "format";

/// Which program created the file.
pub(super) enum FileCreator {
    ThisCrate,
    /// A newer build of this crate, with this format.
    NewerBuild(u64),
    OtherProgram,
}

/// Creates the tables in a new file, and checks the format of an existing one.
pub(super) fn prepare(database: &Database) -> Result<FileCreator, Error> {
    let read = database.begin_read()?;
    match read.open_table(METADATA) {
        Ok(facts) => {
            return Ok(
                match facts.get(FORMAT_OF_FILE)?.map(|format| format.value()) {
                    Some(format) if format > FORMAT.into() => FileCreator::NewerBuild(format),
                    Some(_) => FileCreator::ThisCrate,
                    None => FileCreator::OtherProgram,
                },
            );
        }
        Err(TableError::TableDoesNotExist(_)) => {}
        Err(TableError::Storage(error)) => return Err(error.into()),
        Err(_) => return Ok(FileCreator::OtherProgram),
    }
    if read.list_tables()?.next().is_some() || read.list_multimap_tables()?.next().is_some() {
        return Ok(FileCreator::OtherProgram);
    }
    write(database, |change| {
        change.open_table(SNAPSHOTS)?;
        change.open_table(RECORDS)?;
        let format = u64::from(FORMAT);
        change
            .open_table(METADATA)?
            .insert(FORMAT_OF_FILE, format)?;
        Ok(())
    })?;
    Ok(FileCreator::ThisCrate)
}

/// The frames of a log: its snapshot, and its records with their numbers.
pub(super) struct Stored {
    pub(super) snapshot: Option<Vec<u8>>,
    pub(super) records: Vec<(u64, Vec<u8>)>,
}

pub(super) fn read(database: &Database, id: &str) -> Result<Stored, Error> {
    let read = database.begin_read()?;
    let snapshot = read
        .open_table(SNAPSHOTS)?
        .get(id)?
        .map(|frame| frame.value().to_vec());
    let mut records = Vec::new();
    for entry in read.open_table(RECORDS)?.range((id, 0)..=(id, u64::MAX))? {
        let (key, frame) = entry?;
        records.push((key.value().1, frame.value().to_vec()));
    }
    Ok(Stored { snapshot, records })
}

/// Inserts frames under consecutive numbers from `first`.
pub(super) fn append(
    database: &Database,
    id: &str,
    first: u64,
    frames: &[Vec<u8>],
) -> Result<(), Error> {
    write(database, |change| insert(change, id, first, frames))
}

fn insert(
    change: &WriteTransaction,
    id: &str,
    first: u64,
    frames: &[Vec<u8>],
) -> Result<(), Error> {
    let mut records = change.open_table(RECORDS)?;
    for (seq, frame) in (first..).zip(frames) {
        records.insert((id, seq), frame.as_slice())?;
    }
    Ok(())
}

/// Appends frames, and replaces the records up to the number of a snapshot with the snapshot.
pub(super) fn compact(
    database: &Database,
    id: &str,
    (seq, snapshot): (u64, &[u8]),
    (first, frames): (u64, &[Vec<u8>]),
) -> Result<(), Error> {
    write(database, |change| {
        change.open_table(SNAPSHOTS)?.insert(id, snapshot)?;
        insert(change, id, first, frames)?;
        change
            .open_table(RECORDS)?
            .retain_in((id, 0)..=(id, seq), |_, _| false)?;
        Ok(())
    })
}

/// Removes the records from `seq` on.
pub(super) fn cut(database: &Database, id: &str, seq: u64) -> Result<(), Error> {
    write(database, |change| {
        change
            .open_table(RECORDS)?
            .retain_in((id, seq)..=(id, u64::MAX), |_, _| false)?;
        Ok(())
    })
}

/// Runs `work` in one transaction, which is rolled back if it fails.
fn write(
    database: &Database,
    work: impl FnOnce(&WriteTransaction) -> Result<(), Error>,
) -> Result<(), Error> {
    let change = database.begin_write()?;
    work(&change)?;
    Ok(change.commit()?)
}
