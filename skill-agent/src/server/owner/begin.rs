//! The first steps of a server.

use super::{Finished, Owner};
use crate::server::ask::{Answer, Answered, Asked};
use crate::server::guard::Caller;
use crate::server::ledger::time;
use crate::server::panics::catch;
use crate::server::{ServeError, StartError};
use crate::store::{Logged, RecordKind, StoreError, decode};
use serde_json::json;
use skill_core::process::{self, Transaction};
use skill_core::{Agent, Directive, Signal, Start};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Directives that were not done when the last server ended, by their numbers.
pub(crate) type Pendings = BTreeMap<u64, Logged>;

impl<G: Agent> Owner<G> {
    /// Tells the skills, starts the children, and takes up what was not done.
    pub(crate) async fn begin_serving(
        &mut self,
        start: Start,
        pendings: Pendings,
    ) -> Result<(), StartError> {
        self.first_snapshot().await?;
        for registration in process::registrations(&self.agent) {
            self.carry_out(registration, None, 0);
        }
        // before the hooks wish for anything: what comes later under a key takes the place of what is there
        let spawns: Vec<_> = pendings
            .into_values()
            .filter_map(|logged| self.take_up(logged))
            .collect();
        self.mount(start).await?;
        self.init(start).await?;
        self.children.start_all()?;
        for (spawn, number) in spawns {
            self.carry_out(spawn, Some(number), 0);
        }
        Ok(())
    }

    /// A log begins with a snapshot, and so does every build.
    async fn first_snapshot(&mut self) -> Result<(), StartError> {
        let recent = self.recent.all();
        let Some(ledger) = self.ledger.as_mut().filter(|ledger| ledger.is_new_build) else {
            return Ok(());
        };
        let written = ledger.snapshot(&self.agent, recent).await;
        ledger.is_new_build = false;
        written.map_err(|source| self.store_failed(source))
    }

    fn store_failed(&self, source: StoreError) -> StartError {
        StartError::Store {
            id: self.agent.id().unwrap_or_default().to_owned(),
            source,
        }
    }

    /// `on_mount` of each skill, in requirement order: all of them or none.
    async fn mount(&mut self, start: Start) -> Result<(), StartError> {
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        for skill in self.plan.hooked() {
            let mounted = catch(|| transaction.on_mount(skill, start, Some(&cause)));
            match mounted {
                Ok(Ok(())) => {}
                Ok(Err(source)) => {
                    return Err(StartError::Hook {
                        skill: process::skills::<G>()[skill].name,
                        hook: "on_mount",
                        source: source.into_inner(),
                    });
                }
                Err(message) => return Err(StartError::Panicked { message }),
            }
        }
        let (saved, directives) = transaction.commit();
        if saved.is_empty() {
            return Ok(());
        }
        let id = cause.stamp.as_ref().map(|stamp| stamp.id.clone());
        let mut finished = Finished::new(RecordKind::OnMount, id.unwrap_or_default());
        (finished.saved, finished.directives) = (saved, directives);
        let refused = Arc::new(Mutex::new(None));
        let told = refused.clone();
        self.finish(finished, move |_, kept| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = kept.err();
        });
        self.commit().await;
        let refused = refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match refused {
            None => Ok(()),
            Some(source) => Err(self.store_failed(unshare(source))),
        }
    }

    /// The agent's own hooks and routes see a first signal.
    async fn init(&mut self, start: Start) -> Result<(), StartError> {
        let start = match start {
            Start::Fresh => "fresh",
            _ => "restored",
        };
        let signal = Signal::new(super::way::INIT, json!({ "start": start }));
        let (asked, answered) = Asked::new(None);
        self.signal(signal, Some(asked), Caller::Signal, Default::default());
        match self.answer_to_init(answered).await {
            Ok(_) => Ok(()),
            Err(ServeError::Panicked { message }) => Err(StartError::Panicked { message }),
            Err(ServeError::Store(source)) => Err(self.store_failed(unshare(source))),
            Err(error) => Err(StartError::Init(Box::new(error))),
        }
    }

    /// The answer may wait for a person or for an async action, which nobody else looks after yet.
    async fn answer_to_init<T, E>(
        &mut self,
        mut answered: Answered<T, E>,
    ) -> Result<T, ServeError<E>> {
        loop {
            self.commit().await;
            tokio::select! {
                biased;
                answer = &mut answered => return Answer::read(answer),
                Some(job) = self.jobs.next() => self.job_ended(job),
            }
        }
    }

    /// A directive of the last server, with the number and the id it had. A child that is to be spawned is given back.
    fn take_up(&mut self, logged: Logged) -> Option<(Directive, u64)> {
        let directive: Directive = match decode(&logged.directive) {
            Ok(directive) => directive,
            Err(error) => {
                let message = format!("directive {} of the log cannot be read: {error}", logged.n);
                self.give_up(Some(logged.n), &message);
                return None;
            }
        };
        let due = time(logged.due.unwrap_or_default());
        match directive {
            // it has stopped
            Directive::Stop { .. } => self.done(Some(logged.n)),
            Directive::Spawn(_) => return Some((directive, logged.n)),
            directive => self.carry_out_at(directive, Some(logged.n), logged.hops, due),
        }
        None
    }
}

/// The error itself, where nobody else has it.
fn unshare(error: Arc<StoreError>) -> StoreError {
    Arc::try_unwrap(error).unwrap_or_else(|error| StoreError::unusable("", error.to_string()))
}
