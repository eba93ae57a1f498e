//! Side tables whose keys or values begin with a number, such as the number of a record.

use skill_agent_store::__private::successor;
use skill_agent_store::{Log, Row, StoreError};

/// The number of rows to read at once.
const PAGE: usize = 1_024;

/// Returns the big-endian bytes of a number, followed by `bytes`.
pub(crate) fn numbered(number: u64, bytes: &[u8]) -> Vec<u8> {
    [&number.to_be_bytes(), bytes].concat()
}

/// Splits bytes into the number at their beginning and the rest. Returns `None` if they are too short for a number.
pub(crate) fn split_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_be_bytes(*number), rest))
}

/// Reads the rows of a table, from the key `from` up to the key `to` (exclusive). Returns the results of `parse`, without `None`.
pub(crate) async fn read_rows<T>(
    log: &mut dyn Log,
    table: &'static str,
    mut from: Vec<u8>,
    to: Option<&[u8]>,
    parse: impl Fn(Row) -> Result<Option<T>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut rows = Vec::new();
    loop {
        let page = log.scan(table, &from, PAGE).await?;
        let Some((last, _)) = page.last() else {
            return Ok(rows);
        };
        from = successor(last);
        for row in page {
            if to.is_some_and(|to| row.0.as_slice() >= to) {
                return Ok(rows);
            }
            rows.extend(parse(row)?);
        }
    }
}

/// Returns the error for a row that another build or a fault has written.
pub(crate) fn unknown_row(table: &str) -> StoreError {
    let reason = format!(
        "its table `{table}` has a row of an unknown form; deleting the table forgets its rows"
    );
    StoreError::corrupt("the store", reason)
}
