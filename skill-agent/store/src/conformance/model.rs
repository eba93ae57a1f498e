//! Random histories, compared with a map.

use super::Medium;
use super::expect::{Outcome, Session, equal};
use super::fixtures::{plain, snapshot};
use crate::{Commit, Record, Row, Snapshot};
use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

const LOGS: [&str; 2] = ["a", "ab"];
const TABLES: [&str; 3] = ["t", "t\0", "table"];

pub(super) async fn a_random_history_leaves_what_it_wrote(medium: &dyn Medium) -> Outcome {
    history(medium, 1).await
}

/// Writes a history of 200 steps that depends only on the seed.
pub(crate) async fn history(medium: &dyn Medium, seed: u64) -> Outcome {
    let mut random = Random(seed);
    let mut models = [Model::default(), Model::default()];
    for _ in 0..25 {
        let at = random.below(2);
        let mut session = Session::open(medium, LOGS[at]).await?;
        let model = &mut models[at];
        let steps = format!("random steps with the seed {seed}");
        session.has(&steps, model.snapshot.as_ref(), &model.records)?;
        for _ in 0..8 {
            model.step(&mut random, &mut session).await?;
        }
        for (table, name) in TABLES.into_iter().enumerate() {
            let rows = model.scan(table, b"", usize::MAX);
            session.has_rows(&steps, name, &rows).await?;
        }
    }
    Ok(())
}

/// A random number generator: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Returns one of a few keys, so that keys are often equal or prefixes of each other.
    fn key(&mut self) -> Vec<u8> {
        let length = self.below(3);
        (0..length)
            .map(|_| [0, 1, 0x7f, 0xff][self.below(4)])
            .collect()
    }

    fn value(&mut self) -> Vec<u8> {
        let length = self.below(40);
        (0..length).map(|_| self.next() as u8).collect()
    }

    fn bound(&mut self) -> Bound<Vec<u8>> {
        match self.below(3) {
            0 => Bound::Included(self.key()),
            1 => Bound::Excluded(self.key()),
            _ => Bound::Unbounded,
        }
    }
}

/// The expected contents of a log.
#[derive(Default)]
struct Model {
    last: u64,
    snapshot: Option<Snapshot>,
    records: Vec<Record>,
    tables: [BTreeMap<Vec<u8>, Vec<u8>>; TABLES.len()],
}

impl Model {
    async fn step(&mut self, random: &mut Random, session: &mut Session<'_>) -> Outcome {
        match random.below(10) {
            0..5 => {
                let commit = self.commit(random);
                session.commit(commit).await
            }
            5 => {
                let commit = self.commit(random);
                let oldest = self.last - self.records.len() as u64;
                let at = oldest + random.below(self.records.len() + 1) as u64;
                self.records.retain(|record| record.seq > at);
                self.snapshot = Some(snapshot(at));
                session.compact(snapshot(at), commit).await
            }
            6 => {
                let table = random.below(TABLES.len());
                let key = random.key();
                let found = session.read(TABLES[table], &key).await?;
                let action = format!("`read` of the row {key:?} of `{}`", TABLES[table]);
                equal(&action, &found.as_ref(), &self.tables[table].get(&key))
            }
            _ => {
                let (table, from) = (random.below(TABLES.len()), random.key());
                let limit = random.below(5);
                let found = session.log.scan(TABLES[table], &from, limit).await;
                let found = found.map_err(|error| error.to_string())?;
                let action = format!("`scan` from {from:?} with the limit {limit}");
                equal(&action, &found, &self.scan(table, &from, limit))
            }
        }
    }

    /// Creates the next commit, and applies its changes to the model.
    fn commit(&mut self, random: &mut Random) -> Commit {
        let records = plain(self.last, random.below(4));
        self.last += records.len() as u64;
        let mut commit = Commit::new(&*records);
        self.records.extend(records);
        for _ in 0..random.below(6) {
            let table = random.below(TABLES.len());
            let (name, rows) = (TABLES[table], &mut self.tables[table]);
            commit = match random.below(6) {
                0 => {
                    let key = random.key();
                    rows.remove(&key);
                    commit.delete(name, key)
                }
                1 => {
                    let range = (random.bound(), random.bound());
                    rows.retain(|key, _| !range.contains(key));
                    commit.delete_range(name, range)
                }
                _ => {
                    let (key, value) = (random.key(), random.value());
                    rows.insert(key.clone(), value.clone());
                    commit.put(name, key, value)
                }
            };
        }
        commit
    }

    fn scan(&self, table: usize, from: &[u8], limit: usize) -> Vec<Row> {
        let rows = self.tables[table].iter().filter(|(key, _)| ***key >= *from);
        rows.take(limit)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}
