//! Reads the kept turns of a log.

use super::index::{KeptTurns, Turns, changer};
use super::mark::TurnMark;
use super::rows::{MARKS, NOTES, mark_key, read_value, turn_of};
use super::{Changer, TurnId};
use crate::numbered::{read_rows, unknown_row};
use skill_agent_store::{Log, LogFuture, Recovered, Row, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Reads the marks of a conversation. If one is damaged, no earlier turn is kept.
pub(crate) async fn read_kept(
    log: &mut dyn Log,
    conversation: &str,
) -> Result<KeptTurns, StoreError> {
    let (from, to) = (mark_key(conversation, 0), mark_key(conversation, u64::MAX));
    let parse = |(key, value): Row| {
        let turn = turn_of(&key).ok_or_else(|| unknown_row(MARKS))?.1;
        Ok(Some((turn, value)))
    };
    let rows = match read_rows(log, MARKS, from, Some(&to), parse).await {
        Ok(rows) => rows,
        Err(error @ StoreError::Corrupt { .. }) => {
            tracing::warn!(%error, "the turns of a conversation cannot be taken back");
            return Ok(KeptTurns::lost());
        }
        Err(error) => return Err(error),
    };
    let mut kept = KeptTurns::default();
    let mut turns = BTreeMap::new();
    for (turn, bytes) in rows {
        if turn == 0 {
            match read_value(MARKS, &bytes) {
                Ok((_, first)) => kept.first = first,
                Err(_) => return Ok(KeptTurns::lost()),
            }
            continue;
        }
        match read_value::<TurnMark>(MARKS, &bytes) {
            Ok((_, mark)) => _ = turns.insert(turn, Arc::new(mark)),
            Err(_) => return Ok(KeptTurns::lost()),
        }
    }
    kept.turns = turns;
    Ok(kept)
}

/// Restores the last changes of skills, and the turns with pending directives. A log without turns has neither.
pub(crate) fn restored_turns<'a>(
    log: &'a mut dyn Log,
    recovered: &'a Recovered,
) -> LogFuture<'a, Turns> {
    // The future is boxed, so that its code is compiled here and not with each agent.
    Box::pin(async move {
        let mut turns = Turns::default();
        if log.scan(MARKS, b"", 1).await?.is_empty() {
            return Ok(turns);
        }
        let parse = |(key, value): Row| {
            let read = read_value::<Changer>(NOTES, &value).ok();
            Ok(String::from_utf8(key).ok().zip(read))
        };
        match read_rows(log, NOTES, Vec::new(), None, parse).await {
            Ok(notes) => {
                for (key, (_, changer)) in notes {
                    turns.remember(key, changer);
                }
            }
            // a change is found without them
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::warn!(%error, "the last changes of skills are not known");
            }
            Err(error) => return Err(error),
        }
        let snapshot = recovered.snapshot.iter();
        let mut pending: Vec<_> = snapshot.flat_map(|snapshot| &snapshot.pending).collect();
        for record in &recovered.records {
            pending.extend(&record.directives);
            for changed in &record.states {
                turns.remember(changed.key.clone(), changer(record));
            }
        }
        let of_turn = pending.iter().filter_map(|logged| logged.turn.as_deref());
        let of_turn = of_turn.filter_map(TurnId::of_text);
        let conversations: BTreeSet<_> = of_turn.map(|turn| turn.conversation).collect();
        for conversation in conversations {
            let kept = read_kept(log, &conversation).await?;
            turns.insert_pending(conversation, kept);
        }
        Ok(turns)
    })
}
