//! Drops rows whose record is lost.

use super::{HEADS, PAGE, ROWS, number, stamped};
use skill_agent_store::__private::successor;
use skill_agent_store::{Log, LogFuture, Row, TableChange};

/// Returns the changes that drop heads and rows whose record is newer than `seq`, the last one of the log. A head that is lost is
/// empty afterwards, and its owner makes it anew from the rows.
pub(crate) fn lost_rows(log: &mut dyn Log, seq: u64) -> LogFuture<'_, Vec<TableChange>> {
    // Boxed, so that it is compiled here and not with each agent.
    Box::pin(async move {
        let mut changes = Vec::new();
        for (group, _) in lost(log, HEADS, Vec::new(), None, seq).await? {
            let next = number(&group).and_then(|(number, _)| number.checked_add(1));
            let next = next.map(|next| next.to_be_bytes().to_vec());
            for (key, _) in lost(log, ROWS, group.clone(), next, seq).await? {
                changes.push(TableChange::delete(ROWS, key));
            }
            changes.push(TableChange::put(HEADS, group, stamped(seq, &[])));
        }
        Ok(changes)
    })
}

/// Returns the rows of a table, from one key up to another, whose record is newer than `seq`.
fn lost<'a>(
    log: &'a mut dyn Log,
    table: &'static str,
    mut from: Vec<u8>,
    to: Option<Vec<u8>>,
    seq: u64,
) -> LogFuture<'a, Vec<Row>> {
    Box::pin(async move {
        let mut found = Vec::new();
        loop {
            let page = log.scan(table, &from, PAGE).await?;
            let Some((last, _)) = page.last() else {
                return Ok(found);
            };
            from = successor(last);
            let is_last = page.len() < PAGE;
            for (key, value) in page {
                if to.as_ref().is_some_and(|to| key >= *to) {
                    return Ok(found);
                }
                if number(&value).is_none_or(|(written, _)| written > seq) {
                    found.push((key, value));
                }
            }
            if is_last {
                return Ok(found);
            }
        }
    })
}
