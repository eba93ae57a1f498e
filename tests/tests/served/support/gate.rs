//! A gate that blocks a thread of synchronous code until the test opens it.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

static GATES: Mutex<BTreeMap<String, Arc<GateState>>> = Mutex::new(BTreeMap::new());

struct GateState {
    arrived: Semaphore,
    opened: Mutex<Receiver<()>>,
}

/// The test's handle to a gate. Dropping it opens the gate for good.
pub struct Gate {
    pub name: String,
    state: Arc<GateState>,
    open: Sender<()>,
}

impl Gate {
    /// Creates a gate with a name that is unique among all tests.
    pub fn new(name: &str) -> Self {
        let (open, opened) = channel();
        let state = Arc::new(GateState {
            arrived: Semaphore::new(0),
            opened: Mutex::new(opened),
        });
        let before = GATES.lock().unwrap().insert(name.to_owned(), state.clone());
        assert!(before.is_none(), "two tests have a gate `{name}`");
        Self {
            name: name.to_owned(),
            state,
            open,
        }
    }

    /// Waits until a thread arrives at the gate.
    pub async fn reached(&self) {
        self.state.arrived.acquire().await.unwrap().forget();
    }

    /// Lets one thread pass.
    pub fn open(&self) {
        self.open.send(()).unwrap();
    }
}

/// Blocks the thread until the gate with this name is opened. Returns immediately if there is no such gate.
pub fn wait_at(name: &str) {
    let state = GATES.lock().unwrap().get(name).cloned();
    if let Some(state) = state {
        state.arrived.add_permits(1);
        // An error means that the test is over and the gate is open.
        let _ = state.opened.lock().unwrap().recv();
    }
}
