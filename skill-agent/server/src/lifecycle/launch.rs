//! Builds a server, and spawns its task.

use crate::children::Supervisor;
use crate::children::host::ServerChildHost;
use crate::clock::{CaughtClock, Clock};
use crate::error::StartError;
use crate::guard::APPROVAL_SECRET_MIN;
use crate::handle::AgentServer;
use crate::idempotency::RunningKeys;
use crate::ids::Ids;
use crate::journal::{Quoting, StateEncoder, millis};
use crate::lifecycle::restore::{OpenedLog, Restored};
use crate::lifecycle::running::{ServerId, as_owner};
use crate::lifecycle::settings::{InvalidPattern, Settings};
use crate::lifecycle::shared::{AgentFacts, Shared};
use crate::mailbox::Started;
use crate::mailbox::message::BoxEnvelope;
use crate::owner::{AbortOnDrop, AsyncTasks, Batch, ExitNotifier, Owner, Startup};
use crate::signals::outbox::{OutboxTask, Publisher};
use crate::signals::routing::SignalRouting;
use crate::signals::signal_sink::SIGNAL_SINK_CAPACITY;
use skill_core::child::BoxFuture;
use skill_core::process;
use skill_core::{Agent, Start};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};

/// Restores the agent, builds the owner, runs its startup, and spawns its task.
pub(crate) async fn start<G: Agent>(
    mut agent: G,
    mut settings: Settings<G>,
) -> Result<AgentServer<G>, StartError> {
    if let Some(InvalidPattern { method, error }) = settings.invalid_pattern.take() {
        return Err(StartError::invalid_pattern(method, error));
    }
    if let Some(secret) = &settings.approval_secret
        && secret.len() < APPROVAL_SECRET_MIN
    {
        return Err(StartError::ApprovalSecret {
            bytes: secret.len(),
            min: APPROVAL_SECRET_MIN,
        });
    }
    process::check_config(&agent).map_err(|source| StartError::Config {
        agent: G::SPEC.name,
        source,
    })?;
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(StartError::NoRuntime);
    }
    let clock = CaughtClock(settings.clock.clone());
    if !clock.can_sleep() {
        return Err(StartError::NoTimer);
    }
    #[cfg(feature = "documents")]
    skill_agent_documents::__private::warn_of_misspelled_tools::<G>();
    let Restored {
        mut journal,
        recovery,
        pending,
        keys,
        turns,
    } = match settings.store.take() {
        Some(store) => {
            let log = OpenedLog::read(store, agent.id(), G::SPEC.name).await?;
            let quoting = Quoting {
                payloads: settings.trace_payloads,
            };
            let states = StateEncoder::new(quoting, settings.verify_records);
            let now = millis(clock.now());
            log.restore(&mut agent, &settings.recovery, states, now)?
        }
        None => Restored::default(),
    };
    if let Some(journal) = journal.as_mut().filter(|_| settings.leaves_empty_log) {
        journal.leave_empty();
    }
    let (closed_tx, closed) = watch::channel(None);
    let shared = Arc::new(Shared {
        agent: AgentFacts::of::<G>(),
        hub: std::mem::take(&mut settings.hub).into(),
        counters: Default::default(),
        clock,
        stop_flag: Default::default(),
        closed,
        recovery,
        has_store: journal.is_some(),
        rows_claim: Default::default(),
        grace: settings.grace,
        subscription: settings.subscription,
        pattern_warnings: Default::default(),
    });
    let (mailbox, messages) = mpsc::channel(settings.mailbox);
    let children = children(&agent, &mut settings, &shared, &mailbox)?;
    let routing = SignalRouting::new(&agent);
    let (outbox, delivery_reports, outbox_task) = match settings.signal_sink.clone() {
        Some(signal_sink) => {
            let (deliveries_tx, deliveries) = mpsc::channel(SIGNAL_SINK_CAPACITY);
            let (reports, delivery_reports) = mpsc::unbounded_channel();
            let outbox_task = OutboxTask {
                deliveries,
                publisher: Publisher {
                    server: ServerId::of(&shared),
                    signal_sink,
                    reports,
                    clock: Arc::new(shared.clock.clone()),
                    backoff: settings.backoff,
                },
            };
            (
                Some(deliveries_tx),
                Some(delivery_reports),
                Some(tokio::spawn(outbox_task.run())),
            )
        }
        None => (None, None, None),
    };
    let mut owner = Owner {
        routing,
        agent,
        shared: shared.clone(),
        journal,
        batch: Batch::new(),
        keys,
        turns,
        turn_work: Vec::new(),
        running_keys: RunningKeys::default(),
        steps: VecDeque::new(),
        retries: VecDeque::new(),
        row_reads: Vec::new(),
        schedules: Default::default(),
        timer: None,
        tasks: AsyncTasks::new(settings.concurrency, settings.mailbox),
        children,
        outbox,
        delivery_reports,
        outbox_task: AbortOnDrop(outbox_task),
        deliveries: VecDeque::new(),
        undelivered: 0,
        idle_requests: Default::default(),
        ids: Ids::draw(),
        unlogged: Default::default(),
        unheard: Default::default(),
        stopping: None,
        startup: Some(Startup::new(pending)),
        is_closing: false,
        settings,
    };
    let start = if shared.recovery.is_restored {
        Start::Restored
    } else {
        Start::Fresh
    };
    owner.run_startup(start).await?;
    tracing::info!(
        agent = G::SPEC.name,
        id = owner.agent.id(),
        ?start,
        "started"
    );
    let run = owner.run(messages, ExitNotifier::new(closed_tx, shared.clone()));
    spawn(Box::pin(as_owner(ServerId::of(&shared), run)));
    Ok(Started { mailbox, shared }.handle())
}

/// Spawns a server task. All agents share the tokio code that is compiled for it.
fn spawn(server_task: BoxFuture<()>) {
    tokio::spawn(server_task);
}

/// Builds the supervisor for the children that skills declare, in requirement order, and for the builder's children.
fn children<G: Agent>(
    agent: &G,
    settings: &mut Settings<G>,
    shared: &Arc<Shared>,
    mailbox: &mpsc::Sender<BoxEnvelope>,
) -> Result<Supervisor, StartError> {
    let mut specs = Vec::new();
    for skill in process::requirement_order::<G>() {
        let name = process::skills::<G>()[skill].name;
        let declared = process::child_specs(agent, skill).into_iter();
        specs.extend(declared.map(|spec| (name, spec)));
    }
    let added = settings.children.drain(..);
    specs.extend(added.map(|spec| ("the builder of the server", spec)));
    let host = Arc::new(ServerChildHost {
        name: G::SPEC.name,
        id: agent.id().map(str::to_owned),
        mailbox: mailbox.downgrade(),
        resources: std::mem::take(&mut settings.shared),
    });
    let supervisor = Supervisor::new(specs, Arc::new(shared.clock.clone()), host)?;
    Ok(supervisor
        .with_limits(settings.restart_limits)
        .with_backoff(settings.backoff))
}
