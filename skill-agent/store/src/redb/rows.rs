//! The side tables of all logs, in one redb table, which the first change creates.

use crate::Row;
use crate::bytes::row;
use crate::table::TableChange;
use ::redb::{
    Database, Error, ReadOnlyTable, ReadableDatabase, Table, TableDefinition, TableError,
    WriteTransaction,
};

/// The log's id, the table's name and the row's key.
type Key = (&'static str, &'static str, &'static [u8]);
type Value = &'static [u8];

const ROWS: TableDefinition<'_, Key, Value> = TableDefinition::new("rows");

/// Reads a row's bytes.
pub(super) fn read(
    database: &Database,
    id: &str,
    table: &str,
    key: &[u8],
) -> Result<Option<Vec<u8>>, Error> {
    let Some(rows) = open(database)? else {
        return Ok(None);
    };
    let row = rows.get((id, table, key))?;
    Ok(row.map(|row| row.value().to_vec()))
}

/// Reads the bytes of at most `limit` rows, in key order.
pub(super) fn scan(
    database: &Database,
    id: &str,
    table: &str,
    from: &[u8],
    limit: usize,
) -> Result<Vec<Row>, Error> {
    let Some(rows) = open(database)? else {
        return Ok(Vec::new());
    };
    let next = next_table(table);
    let found = rows
        .range((id, table, from)..(id, &*next, &[][..]))?
        .take(limit);
    found
        .map(|entry| {
            let (key, row) = entry?;
            Ok((key.value().2.to_vec(), row.value().to_vec()))
        })
        .collect()
}

/// Applies the changes in order.
pub(super) fn change(
    transaction: &WriteTransaction,
    id: &str,
    changes: &[TableChange],
) -> Result<(), Error> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut rows = transaction.open_table(ROWS)?;
    changes
        .iter()
        .try_for_each(|change| change_rows(&mut rows, id, change))
}

fn change_rows(
    rows: &mut Table<'_, Key, Value>,
    id: &str,
    change: &TableChange,
) -> Result<(), Error> {
    match change {
        TableChange::Put { table, key, value } => {
            let row = row::write(id, table, key, value);
            rows.insert((id, &**table, &**key), &*row)?;
        }
        TableChange::Delete { table, key } => {
            rows.remove((id, &**table, &**key))?;
        }
        TableChange::DeleteRange { table, from, to } => {
            let next = next_table(table);
            let end = match to {
                Some(to) => (id, &**table, &**to),
                None => (id, &*next, &[][..]),
            };
            rows.retain_in((id, &**table, &**from)..end, |_, _| false)?;
        }
    }
    Ok(())
}

fn open(database: &Database) -> Result<Option<ReadOnlyTable<Key, Value>>, Error> {
    match database.begin_read()?.open_table(ROWS) {
        Ok(rows) => Ok(Some(rows)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the first name after `table` that a table could have.
fn next_table(table: &str) -> String {
    format!("{table}\0")
}
