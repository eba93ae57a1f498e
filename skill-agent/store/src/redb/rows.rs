//! The side tables of all logs, in one redb table, which the first change creates.

use crate::Row;
use crate::bytes::row;
use crate::table::TableChange;
use ::redb::{
    CursorError, Database, Error, ReadOnlyTable, ReadableDatabase, Table, TableDefinition,
    TableError, WriteTransaction,
};
use std::collections::BTreeMap;
use std::ops::Bound;

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
    let mut put = BTreeMap::new();
    for change in changes {
        match change {
            TableChange::Put { table, key, value } => {
                put.insert((&**table, &**key), &**value);
            }
            TableChange::Delete { table, key } => {
                put.remove(&(&**table, &**key));
                rows.remove((id, &**table, &**key))?;
            }
            TableChange::DeleteRange { table, from, to } => {
                let next = next_table(table);
                let end = match to {
                    Some(to) => (&**table, &**to),
                    None => (&*next, &[][..]),
                };
                let range = (&**table, &**from)..end;
                put.retain(|key, _| !range.contains(key));
                let of_log = |(table, key)| (id, table, key);
                rows.retain_in(of_log(range.start)..of_log(range.end), |_, _| false)?;
            }
        }
    }
    let put = put.into_iter().map(|((table, key), value)| {
        let row = row::write(id, table, key, value);
        ((id, table, key), row)
    });
    insert(&mut rows, put)
}

/// Inserts rows, which are in the order of their keys, and replaces existing ones. A cursor writes several new ones together, and
/// fills their pages.
pub(super) fn insert<'k, K: ::redb::Key>(
    table: &mut Table<'_, K, Value>,
    rows: impl ExactSizeIterator<Item = (K::SelfType<'k>, impl AsRef<[u8]>)>,
) -> Result<(), Error> {
    let mut rows = rows.peekable();
    while rows.len() > 0 {
        let mut has_inserted = false;
        if rows.len() > 1
            && let Some((first, _)) = rows.peek()
        {
            let mut cursor = table.lower_bound_mut(Bound::Included(first))?;
            while let Some((key, row)) = rows.peek() {
                match cursor.insert_before(key, row.as_ref()) {
                    Ok(()) => has_inserted = rows.next().is_some(),
                    // another row is between them, or has this key
                    Err(CursorError::UnorderedKey) => break,
                    Err(error) => return Err(error.into()),
                }
            }
            cursor.close()?;
        }
        if !has_inserted && let Some((key, row)) = rows.next() {
            table.insert(key, row.as_ref())?;
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
