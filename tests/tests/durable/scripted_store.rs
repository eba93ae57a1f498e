//! A store like `Memory` whose appends fail or block when the test says so.

use skill_agent::store::{Log, Memory, Record, Recovered, Snapshot, Store, StoreError};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// What happens at an append, before it is done or not done.
enum Scene {
    Refuse(usize),
    Fail,
    Wait(Door),
}

/// Where an append waits.
struct Door {
    arrived: oneshot::Sender<()>,
    open: mpsc::Receiver<()>,
}

/// The other side of the door. Dropping it opens the door.
pub struct Doorkeeper {
    arrived: Option<oneshot::Receiver<()>>,
    _open: mpsc::Sender<()>,
}

impl Doorkeeper {
    /// Waits until an append waits.
    pub async fn arrived(&mut self) {
        if let Some(arrived) = self.arrived.take() {
            arrived.await.unwrap();
        }
    }

    pub fn open(self) {}
}

#[derive(Default)]
struct Script {
    /// How many appends and compactions there were.
    appends: usize,
    compactions: usize,
    scenes: BTreeMap<usize, Scene>,
    /// How many records each append had.
    sizes: Vec<usize>,
}

#[derive(Clone, Default)]
pub struct Scripted {
    pub memory: Memory,
    script: Arc<Mutex<Script>>,
}

impl Scripted {
    pub fn on(memory: Memory) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    fn play(&self, after: usize, scene: Scene) {
        let mut script = self.script.lock().unwrap();
        let at = script.appends + after;
        script.scenes.insert(at, scene);
    }

    /// Refuses `times` appends after `after` successful ones.
    pub fn refuse(&self, after: usize, times: usize) {
        self.play(after, Scene::Refuse(times));
    }

    /// An append fails.
    pub fn fail(&self, after: usize) {
        self.play(after, Scene::Fail);
    }

    /// An append waits at a door.
    pub fn door(&self, after: usize) -> Doorkeeper {
        let (arrived_tx, arrived) = oneshot::channel();
        let (open_tx, open) = mpsc::channel();
        self.play(
            after,
            Scene::Wait(Door {
                arrived: arrived_tx,
                open,
            }),
        );
        Doorkeeper {
            arrived: Some(arrived),
            _open: open_tx,
        }
    }

    pub fn sizes(&self) -> Vec<usize> {
        self.script.lock().unwrap().sizes.clone()
    }

    pub fn compactions(&self) -> usize {
        self.script.lock().unwrap().compactions
    }
}

impl Store for Scripted {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        Ok(Box::new(ScriptedLog {
            log: self.memory.open(id)?,
            store: self.clone(),
        }))
    }
}

struct ScriptedLog {
    log: Box<dyn Log>,
    store: Scripted,
}

impl Log for ScriptedLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        self.log.recover()
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let scene = {
            let mut script = self.store.script.lock().unwrap();
            let at = script.appends;
            script.appends += 1;
            script.sizes.push(records.len());
            script.scenes.remove(&at)
        };
        match scene {
            None => {}
            Some(Scene::Refuse(times)) => self.store.memory.refuse_next(times),
            Some(Scene::Fail) => self.store.memory.fail_next(),
            Some(Scene::Wait(door)) => {
                door.arrived.send(()).unwrap();
                let _ = door.open.recv();
            }
        }
        self.log.append(records)
    }

    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.store.script.lock().unwrap().compactions += 1;
        self.log.compact(snapshot)
    }
}
