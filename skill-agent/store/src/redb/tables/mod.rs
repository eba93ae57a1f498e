//! The redb tables of the file. The changes of a batch are one commit with redb's default durability, `Immediate`.

#[cfg(test)]
mod tests;

use super::rows;
use crate::bytes::frame::FORMAT;
use crate::commit::Commit;
use ::redb::{
    Database, Error, ReadableDatabase, Table, TableDefinition, TableError, WriteTransaction,
};

/// The metadata of the file, which is its format.
const METADATA: TableDefinition<'_, &str, u64> = TableDefinition::new("facts");
/// The newest snapshot of each log, as a frame.
const SNAPSHOTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("snapshots");
/// The records of each log by number, as frames.
const RECORDS: TableDefinition<'_, (&str, u64), &[u8]> = TableDefinition::new("records");

type Records<'t> = Table<'t, (&'static str, u64), &'static [u8]>;

const FORMAT_OF_FILE: &str = "format";

/// The program that created a file.
pub(super) enum FileCreator {
    ThisCrate,
    /// A newer build of this crate, with the file's format.
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
    transact(database, |change| {
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

/// A log's frames: its snapshot, and its records by number.
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

/// A change to a log in one write.
pub(super) enum Change {
    /// Appends the records as frames, and changes the side tables. A snapshot replaces the records up to its number.
    Commit {
        snapshot: Option<(u64, Vec<u8>)>,
        records: Vec<(u64, Vec<u8>)>,
        commit: Commit,
    },
    /// Removes the record with this number and all later records.
    Cut(u64),
}

/// Makes changes to logs, all of them in one transaction or none.
pub(super) fn write<'a>(
    database: &Database,
    mut changes: impl Iterator<Item = (&'a str, &'a Change)>,
) -> Result<(), Error> {
    transact(database, |transaction| {
        let mut records = transaction.open_table(RECORDS)?;
        changes.try_for_each(|(id, change)| apply(transaction, &mut records, id, change))
    })
}

fn apply(
    transaction: &WriteTransaction,
    records: &mut Records<'_>,
    id: &str,
    change: &Change,
) -> Result<(), Error> {
    match change {
        Change::Commit {
            snapshot,
            records: frames,
            commit,
        } => {
            let frames = frames.iter().map(|(seq, frame)| ((id, *seq), frame));
            rows::insert(records, frames)?;
            rows::change(transaction, id, commit.changes())?;
            let Some((seq, snapshot)) = snapshot else {
                return Ok(());
            };
            let mut snapshots = transaction.open_table(SNAPSHOTS)?;
            snapshots.insert(id, snapshot.as_slice())?;
            records.retain_in((id, 0)..=(id, *seq), |_, _| false)?;
        }
        Change::Cut(seq) => {
            records.retain_in((id, *seq)..=(id, u64::MAX), |_, _| false)?;
        }
    }
    Ok(())
}

/// Runs `work` in one transaction, which is rolled back if `work` fails.
fn transact(
    database: &Database,
    work: impl FnOnce(&WriteTransaction) -> Result<(), Error>,
) -> Result<(), Error> {
    let change = database.begin_write()?;
    work(&change)?;
    Ok(change.commit()?)
}
