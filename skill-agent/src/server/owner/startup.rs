//! The startup of a server's task.

use super::Owner;
use crate::panics::catch;
use crate::server::chain::Chain;
use crate::server::error::{NotKept, ServeError, StartError};
use crate::server::journal::JournalEntry;
use crate::server::journal::{PendingDirective, PendingDirectives, time};
use crate::server::mailbox::responder::{Responder, Response, ResponseReceiver};
use crate::store::{RecordKind, StoreError, decode};
use serde_json::json;
use skill_core::process::full_text;
use skill_core::process::{self, Transaction};
use skill_core::{Agent, Caller, Directive, Signal, Start};
use std::sync::{Arc, Mutex, PoisonError};

impl<G: Agent> Owner<G> {
    /// Calls the hooks, starts the children, and executes the pending directives.
    pub(crate) async fn run_startup(
        &mut self,
        start: Start,
        pendings: PendingDirectives,
    ) -> Result<(), StartError> {
        self.first_snapshot().await?;
        for registration in process::registrations(&self.agent) {
            self.execute_directive(registration, None, Chain::default());
        }
        // Before the hooks run: a schedule that they queue replaces a pending one with the same key.
        let spawns: Vec<_> = pendings
            .into_values()
            .filter_map(|pending| self.resume_directive(pending))
            .collect();
        self.mount(start).await?;
        self.init(start).await?;
        self.children.start_all()?;
        for (spawn, number) in spawns {
            self.execute_directive(spawn, Some(number), Chain::default());
        }
        self.is_started = true;
        Ok(())
    }

    /// Writes a snapshot before the first record of a log, and before the first one of a new build.
    async fn first_snapshot(&mut self) -> Result<(), StartError> {
        let recent = self.recent.all();
        let Some(journal) = self.journal.as_mut().filter(|journal| journal.is_new_build) else {
            return Ok(());
        };
        let written = journal.snapshot(&self.agent, recent).await;
        journal.is_new_build = false;
        written.map_err(|source| self.store_failed(source))
    }

    fn store_failed(&self, source: StoreError) -> StartError {
        StartError::Store {
            id: self.agent.id().unwrap_or_default().to_owned(),
            source,
        }
    }

    /// Takes the error out of its `Arc`, which the reason to stop shares.
    fn unshare(&mut self, error: Arc<StoreError>) -> StoreError {
        self.stopping = None;
        Arc::try_unwrap(error).unwrap_or_else(|error| {
            let id = self.agent.id().unwrap_or_default();
            StoreError::failed(id, "the store", full_text(&error))
        })
    }

    /// Calls `on_mount` of each skill, in requirement order, as one transaction.
    async fn mount(&mut self, start: Start) -> Result<(), StartError> {
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        for skill in self.routing.hooked() {
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
        let mut entry = JournalEntry::new(RecordKind::OnMount, id.unwrap_or_default());
        entry.directives = directives;
        let refused = Arc::new(Mutex::new(None));
        let told = refused.clone();
        self.finish(entry, saved, move |_, kept| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = kept.err();
        });
        self.commit().await;
        let refused = refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match refused {
            None => Ok(()),
            Some(NotKept::Limit(what)) => {
                let max = what.max();
                Err(StartError::Limit { what, max })
            }
            Some(NotKept::Store(source) | NotKept::StoreBefore(source)) => {
                let source = self.unshare(source);
                Err(self.store_failed(source))
            }
        }
    }

    /// The agent's own hooks and routes see a first signal.
    async fn init(&mut self, start: Start) -> Result<(), StartError> {
        let start = match start {
            Start::Fresh => "fresh",
            _ => "restored",
        };
        let signal = Signal::new(super::signal_pipeline::INIT, json!({ "start": start }));
        let (responder, receiver) = Responder::new(None);
        self.signal(signal, Some(responder), Caller::Signal, Default::default());
        match self.answer_to_init(receiver).await {
            Ok(_) => Ok(()),
            Err(ServeError::Panicked { message }) => Err(StartError::Panicked { message }),
            Err(ServeError::Store { source, .. }) => {
                let source = self.unshare(source);
                Err(self.store_failed(source))
            }
            Err(error) => Err(StartError::Init(Box::new(error))),
        }
    }

    /// Waits for the response to `agent.init`, and drives the approvals and async actions that it may depend on: the loop of the
    /// task does not run yet.
    async fn answer_to_init<T, E>(
        &mut self,
        mut receiver: ResponseReceiver<T, E>,
    ) -> Result<T, ServeError<E>> {
        loop {
            self.commit().await;
            tokio::select! {
                biased;
                answer = &mut receiver => return Response::read(answer),
                Some(running) = self.tasks.next() => self.task_ended(running),
            }
        }
    }

    /// Executes a directive that the last server left, with its number and id. Returns a `Spawn` instead.
    fn resume_directive(&mut self, pending: PendingDirective) -> Option<(Directive, u64)> {
        let PendingDirective { logged, chain } = pending;
        let directive: Directive = match decode(&logged.directive) {
            Ok(directive) => directive,
            Err(error) => {
                let message = format!("directive {} of the log cannot be read: {error}", logged.n);
                self.give_up("a directive", Some(logged.n), message);
                return None;
            }
        };
        let due = time(logged.due.unwrap_or_default());
        match directive {
            // The last server did stop.
            Directive::Stop { .. } => self.done(Some(logged.n)),
            Directive::Spawn(_) => return Some((directive, logged.n)),
            directive => self.execute_directive_at(directive, Some(logged.n), chain, due),
        }
        None
    }
}
