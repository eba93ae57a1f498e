//! Drops rows whose record is lost.

use super::{HEADS, ROWS};
use crate::numbered::{numbered, read_rows, split_number};
use skill_agent_store::{Log, LogFuture, Row, StoreError, TableChange};

/// Returns the changes that drop heads and rows whose record is newer than `seq`, the log's last record. A lost head becomes empty,
/// and the crate that owns the rows rebuilds the head from the rows.
pub(crate) fn lost_rows(log: &mut dyn Log, seq: u64) -> LogFuture<'_, Vec<TableChange>> {
    // The future is boxed, so that its code is compiled here and not with each agent.
    Box::pin(async move {
        let mut changes = Vec::new();
        for group in lost(log, HEADS, Vec::new(), None, seq).await? {
            let next = split_number(&group).and_then(|(number, _)| number.checked_add(1));
            let next = next.map(u64::to_be_bytes);
            let to = next.as_ref().map(<[u8; 8]>::as_slice);
            let rows = lost(log, ROWS, group.clone(), to, seq).await?;
            changes.extend(rows.into_iter().map(|key| TableChange::delete(ROWS, key)));
            changes.push(TableChange::put(HEADS, group, numbered(seq, &[])));
        }
        Ok(changes)
    })
}

/// Returns the keys of a table, from one key up to another, whose record is newer than `seq`.
async fn lost(
    log: &mut dyn Log,
    table: &'static str,
    from: Vec<u8>,
    to: Option<&[u8]>,
    seq: u64,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let is_lost = |value: &[u8]| split_number(value).is_none_or(|(written, _)| written > seq);
    let parse = |(key, value): Row| Ok(is_lost(&value).then_some(key));
    read_rows(log, table, from, to, parse).await
}
