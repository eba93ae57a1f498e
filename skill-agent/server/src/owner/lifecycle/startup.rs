//! The startup of a server.

use crate::chain::Chain;
use crate::error::{Applied, NotKept, ServeError, StartError};
use crate::journal::{JournalEntry, PendingDirective, PendingDirectives, time};
use crate::mailbox::responder::{Responder, Response, ResponseReceiver};
use crate::owner::Owner;
use crate::owner::call::reply::Reply;
use crate::panics::catch;
use serde_json::json;
use skill_agent_store::{RecordKind, StoreError};
use skill_core::process::{self, AfterRestart, Transaction, full_text};
use skill_core::{Agent, Caller, Directive, Signal, Start};
use std::convert::Infallible;
use std::sync::Arc;

/// The state of a startup.
#[derive(Default)]
pub(crate) struct Startup {
    /// Directives from the previous server, until they are resumed.
    pub(super) left: PendingDirectives,
    /// The `Spawn` directives among them, with their numbers.
    spawns: Vec<(Directive, u64)>,
    /// Why the changes made by `on_mount` were not kept.
    pub(crate) refused: Option<NotKept>,
}

impl Startup {
    pub(crate) fn new(left: PendingDirectives) -> Self {
        Self {
            left,
            ..Self::default()
        }
    }
}

impl<G: Agent> Owner<G> {
    /// Calls the hooks, writes their changes, executes the previous server's directives, and starts the children.
    ///
    /// Nothing is written and nothing has an effect before the first commit. If the start fails before this commit, the log is
    /// unchanged.
    pub(crate) async fn run_startup(&mut self, start: Start) -> Result<(), StartError> {
        for registration in process::registrations(&self.agent) {
            self.execute_directive(registration, None, Chain::default());
        }
        self.mount(start)?;
        self.declare_schedules()?;
        self.check_mounted()?;
        let init = self.init(start).await;
        self.check_mounted()?;
        init?;
        self.commit().await;
        self.check_mounted()?;
        self.write_first_snapshot().await?;
        self.resume_directives();
        self.children.start_all()?;
        for (spawn, number) in self.startup.take().unwrap_or_default().spawns {
            self.execute_directive(spawn, Some(number), Chain::default());
        }
        Ok(())
    }

    async fn write_first_snapshot(&mut self) -> Result<(), StartError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let written = journal.write_first_snapshot().await;
        written.map_err(|source| self.store_failed(source))
    }

    /// Executes the previous server's directives once the first commit is written. They run before the hooks' directives, so that
    /// a hook's schedule replaces one with the same key.
    pub(crate) fn resume_directives(&mut self) {
        let Some(startup) = &mut self.startup else {
            return;
        };
        for pending in std::mem::take(&mut startup.left).into_values() {
            let spawn = self.resume_directive(pending);
            if let Some(startup) = &mut self.startup {
                startup.spawns.extend(spawn);
            }
        }
    }

    /// Returns the error of `on_mount` if its changes were not kept.
    fn check_mounted(&mut self) -> Result<(), StartError> {
        match self.take_refused() {
            None => Ok(()),
            Some(NotKept::Limit(what)) => {
                let max = what.max();
                Err(StartError::Limit { what, max })
            }
            Some(NotKept::Repeat { skill, reason }) => Err(StartError::Repeat { skill, reason }),
            Some(NotKept::Store(source) | NotKept::StoreBefore(source)) => {
                let source = self.unshare(source);
                Err(self.store_failed(source))
            }
        }
    }

    fn take_refused(&mut self) -> Option<NotKept> {
        self.startup.as_mut()?.refused.take()
    }

    fn store_failed(&self, source: StoreError) -> StartError {
        StartError::Store {
            id: self.agent.id().unwrap_or_default().to_owned(),
            source,
        }
    }

    /// Takes the error out of the `Arc` that it shares with the stop reason.
    fn unshare(&mut self, error: Arc<StoreError>) -> StoreError {
        self.stopping = None;
        Arc::try_unwrap(error).unwrap_or_else(|error| {
            let id = self.agent.id().unwrap_or_default();
            StoreError::failed(id, "the store", full_text(&error))
        })
    }

    /// Calls each skill's `on_mount` in requirement order, as one transaction.
    fn mount(&mut self, start: Start) -> Result<(), StartError> {
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        for skill in self.routing.hooked() {
            let mounted = catch(|| transaction.on_mount(skill, start, Some(&cause)));
            match mounted {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    let skill = process::skills::<G>()[skill].name;
                    return Err(match error.__into_mount_error() {
                        Ok(error) => StartError::Mount { skill, error },
                        Err(source) => StartError::Hook {
                            skill,
                            hook: "on_mount",
                            source,
                        },
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
        let reply: Reply<(), Infallible> = Reply::Startup;
        self.settle(entry, saved, Ok(()), reply);
        Ok(())
    }

    /// Sends `agent.init` to the agent's own hooks and routes.
    async fn init(&mut self, start: Start) -> Result<(), StartError> {
        let start = match start {
            Start::Fresh => "fresh",
            _ => "restored",
        };
        let signal = Signal::new(
            crate::owner::signal::pipeline::INIT,
            json!({ "start": start }),
        );
        let (responder, receiver) = Responder::new(None);
        self.signal(signal, Some(responder), Caller::Signal, Default::default());
        match self.answer_to_init(receiver).await {
            Ok(_) => Ok(()),
            Err(ServeError::Panicked { message, .. }) => Err(StartError::Panicked { message }),
            Err(ServeError::Store { source, .. }) => {
                let source = self.unshare(source);
                Err(self.store_failed(source))
            }
            Err(error) => Err(StartError::Init(Box::new(error))),
        }
    }

    /// Waits for the response to `agent.init`. Also drives the approvals and async actions that the response may depend on,
    /// because the server task's loop does not run yet.
    async fn answer_to_init<T, E>(
        &mut self,
        mut receiver: ResponseReceiver<T, E>,
    ) -> Result<T, ServeError<E>> {
        loop {
            tokio::select! {
                biased;
                answer = &mut receiver => return Response::read(answer),
                () = std::future::ready(()), if !self.batch.is_empty() => {}
                Some(running) = self.tasks.next() => {
                    self.task_ended(running);
                    continue;
                }
            }
            self.commit().await;
            if self
                .startup
                .as_ref()
                .is_some_and(|startup| startup.refused.is_some())
            {
                // `on_mount` is undone, so the start ends here.
                return Err(ServeError::stopped(Applied::No));
            }
        }
    }

    /// Executes a directive of the previous server with its number and id. Returns a directive that must be executed after the
    /// hooks.
    fn resume_directive(&mut self, pending: PendingDirective) -> Option<(Directive, u64)> {
        let directive = pending.directive();
        let PendingDirective { logged, chain } = pending;
        let directive = match directive {
            Ok(directive) => directive,
            Err(error) => {
                let message = format!("directive {} of the log cannot be read: {error}", logged.n);
                self.give_up("a directive", Some(logged.n), message);
                return None;
            }
        };
        let due = time(logged.due.unwrap_or_default());
        match directive.facts().after_restart {
            AfterRestart::Skip => self.done(Some(logged.n)),
            AfterRestart::ExecuteAfterHooks => return Some((directive, logged.n)),
            AfterRestart::Execute => {
                self.execute_directive_at(directive, Some(logged.n), chain, due)
            }
        }
        None
    }
}
