//! Rows of another crate in a server's log, such as conversations.
//!
//! The rows are in groups. Each group has a head, which is rewritten with every change. The values of heads and rows begin with the
//! number of their record, so that they can be dropped if the log loses the record. A start reads only the heads, and the rows of
//! a group only if its head has lost its record.

mod restore;

pub(crate) use restore::lost_rows;

use crate::numbered::{numbered, split_number, unknown_row};
use crate::turns::TurnsChange;
use skill_agent_store::{Log, Row, StoreError, TableChange};

/// The values of heads or rows, by number.
pub type Rows = Vec<(u64, Vec<u8>)>;

/// The heads, by group.
const HEADS: &str = "group_heads";
/// The rows, by group and number.
const ROWS: &str = "group_rows";

/// A change to a group of rows, written in one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupChange {
    /// The number of the group.
    pub group: u64,
    /// The new head, or `None` to delete the group with all its rows.
    pub head: Option<Vec<u8>>,
    /// The rows to put, by number.
    pub put: Rows,
    /// The numbers of the rows to delete.
    pub delete: Vec<u64>,
    /// The held keys of this server whose outputs the rows contain.
    pub release: Vec<String>,
    /// The change to the kept turns of the conversation in the group.
    pub turns: Option<TurnsChange>,
}

impl GroupChange {
    /// Returns the changes to the tables, for the record `seq`.
    pub(crate) fn to_table_changes(&self, seq: u64) -> Vec<TableChange> {
        let group = self.group.to_be_bytes();
        let Some(head) = &self.head else {
            let rows = row_key(self.group, 0)..=row_key(self.group, u64::MAX);
            let rows = TableChange::delete_range(ROWS.into(), &rows);
            return rows
                .into_iter()
                .chain([TableChange::delete(HEADS, group)])
                .collect();
        };
        let delete = self.delete.iter();
        let delete = delete.map(|number| TableChange::delete(ROWS, row_key(self.group, *number)));
        let put = self.put.iter().map(|(number, value)| {
            TableChange::put(ROWS, row_key(self.group, *number), numbered(seq, value))
        });
        let head = TableChange::put(HEADS, group, numbered(seq, head));
        delete.chain(put).chain([head]).collect()
    }
}

fn row_key(group: u64, number: u64) -> Vec<u8> {
    [group.to_be_bytes(), number.to_be_bytes()].concat()
}

/// A part of the rows to read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowsPage {
    /// The heads of the groups from this one on.
    Heads { from: u64 },
    /// The rows of a group from this number on.
    Rows { group: u64, from: u64 },
}

/// The number of rows to read at once.
pub(crate) const PAGE: usize = 256;

impl RowsPage {
    /// Reads the page from the log: numbers of groups or rows, each with its value. The page is the last one if it is not full.
    pub(crate) async fn read(self, log: &mut dyn Log) -> Result<Rows, StoreError> {
        let (table, from, group) = match self {
            Self::Heads { from } => (HEADS, from.to_be_bytes().to_vec(), None),
            Self::Rows { group, from } => (ROWS, row_key(group, from), Some(group)),
        };
        let page = log.scan(table, &from, PAGE).await?;
        let parse = |(key, value): Row| {
            let (first, rest) = split_number(&key)?;
            let (_, value) = split_number(&value)?;
            let number = match group {
                Some(_) => split_number(rest)?.0,
                None => first,
            };
            Some((first, number, value.to_vec()))
        };
        let mut found = Vec::with_capacity(page.len());
        for row in page {
            let (first, number, value) = parse(row).ok_or_else(|| unknown_row(table))?;
            if group.is_some_and(|group| group != first) {
                break;
            }
            found.push((number, value));
        }
        Ok(found)
    }
}
