//! The index of all agents: a log of its own, with a row for each agent that is awake or stored.
//!
//! An agent is listed as awake before its first record, and with its next due time once it sleeps. After a crash, the agents that
//! are listed as awake are woken, perhaps for nothing, but never too late.

use skill_agent_store::{Commit, Log, Row, Store, StoreError};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::{mpsc, oneshot};

const TABLE: &str = "agents";

/// The number of rows that a scan reads at a time.
const PAGE: usize = 1_000;

/// The maximum number of changes in one commit.
const BATCH: usize = 256;

/// The row of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    Awake,
    /// With the time at which it has something to do.
    Asleep(Option<SystemTime>),
}

impl Listed {
    /// A row is the milliseconds of the due time, empty without one, or one zero byte for an agent that is awake.
    fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Awake => vec![0],
            Self::Asleep(None) => Vec::new(),
            Self::Asleep(Some(due)) => {
                let since = due.duration_since(SystemTime::UNIX_EPOCH);
                let millis = since.unwrap_or_default().as_millis();
                let millis = u64::try_from(millis).unwrap_or(u64::MAX);
                millis.to_be_bytes().to_vec()
            }
        }
    }

    /// A row in an unknown form is read as `Awake`, so that its agent is woken.
    fn of_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [] => Self::Asleep(None),
            _ => match bytes.try_into() {
                Ok(millis) => {
                    let since = Duration::from_millis(u64::from_be_bytes(millis));
                    Self::Asleep(SystemTime::UNIX_EPOCH.checked_add(since))
                }
                Err(_) => Self::Awake,
            },
        }
    }
}

/// The answer to a request.
type Answer<T> = oneshot::Sender<Result<T, Arc<StoreError>>>;

enum Request {
    Put(Arc<str>, Option<Listed>, Answer<()>),
    Get(Arc<str>, Answer<Option<Listed>>),
    /// At most this number of ids after an id.
    Ids(String, usize, Answer<Vec<String>>),
    Close(oneshot::Sender<()>),
}

/// A handle to the task that owns the log.
pub(crate) struct Index {
    requests: mpsc::Sender<Request>,
}

impl Index {
    /// Opens the index, and passes each row to `each`. The id of its log begins with a blank, which no agent's id does.
    pub(crate) async fn open(
        store: &dyn Store,
        id: &str,
        mut each: impl FnMut(Arc<str>, Listed),
    ) -> Result<Self, StoreError> {
        let mut log = store.open(id)?;
        log.recover().await?;
        let mut from = Vec::new();
        loop {
            let rows = log.scan(TABLE, &from, PAGE).await?;
            let is_last = rows.len() < PAGE;
            for (key, value) in rows {
                from.clone_from(&key);
                each(id_of(&key).into(), Listed::of_bytes(&value));
            }
            if is_last {
                break;
            }
            from.push(0);
        }
        let (requests, received) = mpsc::channel(BATCH);
        tokio::spawn(run(log, received));
        Ok(Self { requests })
    }

    /// Changes the row of an agent, or deletes it. The change is on disk when the future completes.
    pub(crate) async fn put(
        &self,
        id: &Arc<str>,
        listed: Option<Listed>,
    ) -> Result<(), Arc<StoreError>> {
        let id = Arc::clone(id);
        self.ask(|answer| Request::Put(id, listed, answer)).await
    }

    /// Returns the row of an agent.
    pub(crate) async fn get(&self, id: &Arc<str>) -> Result<Option<Listed>, Arc<StoreError>> {
        let id = Arc::clone(id);
        self.ask(|answer| Request::Get(id, answer)).await
    }

    /// Returns at most `limit` ids after an id.
    pub(crate) async fn ids(
        &self,
        after: &str,
        limit: usize,
    ) -> Result<Vec<String>, Arc<StoreError>> {
        let after = after.to_owned();
        self.ask(|answer| Request::Ids(after, limit, answer)).await
    }

    /// Closes the log.
    pub(crate) async fn close(&self) {
        let (closed, is_closed) = oneshot::channel();
        let _ = self.requests.send(Request::Close(closed)).await;
        let _ = is_closed.await;
    }

    async fn ask<T>(
        &self,
        request: impl FnOnce(Answer<T>) -> Request,
    ) -> Result<T, Arc<StoreError>> {
        let (answer, answered) = oneshot::channel();
        let _ = self.requests.send(request(answer)).await;
        let lost = || {
            Arc::new(StoreError::failed(
                "the index",
                "the index",
                "it was closed",
            ))
        };
        answered.await.map_err(|_| lost())?
    }
}

/// Answers requests until the log is closed or all handles are dropped. The changes that wait together are one commit.
async fn run(mut log: Box<dyn Log>, mut requests: mpsc::Receiver<Request>) {
    let mut received = Vec::new();
    while requests.recv_many(&mut received, BATCH).await > 0 {
        let (mut commit, mut changed) = (Commit::default(), Vec::new());
        let mut reads = Vec::new();
        for request in received.drain(..) {
            match request {
                Request::Put(id, listed, answer) => {
                    commit = match listed {
                        Some(listed) => commit.put(TABLE, id.as_bytes(), listed.to_bytes()),
                        None => commit.delete(TABLE, id.as_bytes()),
                    };
                    changed.push(answer);
                }
                read => reads.push(read),
            }
        }
        let written = log.commit(commit).await.map_err(Arc::new);
        for answer in changed {
            let _ = answer.send(written.clone());
        }
        for read in reads {
            match read {
                Request::Get(id, answer) => {
                    let row = log.read(TABLE, id.as_bytes()).await;
                    let listed = row.map(|row| row.map(|value| Listed::of_bytes(&value)));
                    let _ = answer.send(listed.map_err(Arc::new));
                }
                Request::Ids(after, limit, answer) => {
                    let mut from = after.into_bytes();
                    from.push(0);
                    let rows = log.scan(TABLE, &from, limit).await.map_err(Arc::new);
                    let ids = |rows: Vec<Row>| rows.iter().map(|(key, _)| id_of(key)).collect();
                    let _ = answer.send(rows.map(ids));
                }
                Request::Close(closed) => {
                    drop(log);
                    let _ = closed.send(());
                    return;
                }
                Request::Put(..) => {}
            }
        }
    }
}

fn id_of(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}
