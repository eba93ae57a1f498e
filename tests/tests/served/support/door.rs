//! A gate that blocks the thread of pure code until the test opens it.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

static DOORS: Mutex<BTreeMap<String, Arc<Frame>>> = Mutex::new(BTreeMap::new());

struct Frame {
    came: Semaphore,
    opened: Mutex<Receiver<()>>,
}

/// The side of the test. Dropping it leaves the door open.
pub struct Door {
    pub name: String,
    frame: Arc<Frame>,
    open: Sender<()>,
}

impl Door {
    /// Creates a door. No two tests may use the same name.
    pub fn new(name: &str) -> Self {
        let (open, opened) = channel();
        let frame = Arc::new(Frame {
            came: Semaphore::new(0),
            opened: Mutex::new(opened),
        });
        let before = DOORS.lock().unwrap().insert(name.to_owned(), frame.clone());
        assert!(before.is_none(), "two tests have a door `{name}`");
        Self {
            name: name.to_owned(),
            frame,
            open,
        }
    }

    /// Waits until somebody stands before it.
    pub async fn reached(&self) {
        self.frame.came.acquire().await.unwrap().forget();
    }

    /// Lets one pass.
    pub fn open(&self) {
        self.open.send(()).unwrap();
    }
}

/// Goes through the door of that name; returns at once if there is no such door.
pub fn pass(name: &str) {
    let frame = DOORS.lock().unwrap().get(name).cloned();
    if let Some(frame) = frame {
        frame.came.add_permits(1);
        // an error: the test is over, and the door stands open
        let _ = frame.opened.lock().unwrap().recv();
    }
}
