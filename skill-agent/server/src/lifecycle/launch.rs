//! Builds a server, and spawns its task.

use crate::children::Supervisor;
use crate::children::host::ServerChildHost;
use crate::clock::{CaughtClock, Clock};
use crate::error::{RecoveryError, StartError};
use crate::guard::APPROVAL_SECRET_MIN;
use crate::handle::AgentServer;
use crate::idempotency::{KeyTables, UsedKeys};
use crate::ids::Ids;
use crate::journal::{
    Journal, PendingDirectives, Quoting, Recovery, StateEncoder, apply_recovered, millis,
};
use crate::lifecycle::running::{ServerId, as_owner};
use crate::lifecycle::settings::{InvalidPattern, Settings};
use crate::lifecycle::shared::{AgentFacts, Shared};
use crate::mailbox::message::BoxEnvelope;
use crate::owner::{AbortOnDrop, AsyncTasks, Batch, ExitNotifier, Owner, Startup};
use crate::rows::lost_rows;
use crate::signals::outbox::OutboxTask;
use crate::signals::routing::SignalRouting;
use crate::signals::signal_sink::SIGNAL_SINK_CAPACITY;
use skill_agent_store::{Log, Recovered, StoreError, TableChange};
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
        return Err(StartError::Pattern {
            method,
            pattern: error.pattern.clone(),
            source: error,
        });
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
    let opened = open(&agent, &mut settings).await?;
    let Restored {
        journal,
        recovery,
        pending,
        keys,
    } = recover(&mut agent, &settings, opened, millis(clock.now()))?;
    let (closed_tx, closed) = watch::channel(None);
    let shared = Arc::new(Shared {
        agent: AgentFacts::of::<G>(),
        hub: std::mem::take(&mut settings.hub),
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
                server: ServerId::of(&shared),
                signal_sink,
                deliveries,
                reports,
                clock: Arc::new(shared.clock.clone()),
                backoff: settings.backoff,
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
    Ok(AgentServer::of_mailbox(mailbox, shared))
}

/// Spawns a server task. All agents share the tokio code that is compiled for it.
fn spawn(server_task: BoxFuture<()>) {
    tokio::spawn(server_task);
}

/// An agent's open log and its contents.
struct OpenedLog {
    log: Box<dyn Log>,
    recovered: Recovered,
    tables: KeyTables,
    /// The changes that drop rows of another crate whose record is lost.
    lost: Vec<TableChange>,
    id: String,
}

async fn open<G: Agent>(
    agent: &G,
    settings: &mut Settings<G>,
) -> Result<Option<OpenedLog>, StartError> {
    let Some(store) = settings.store.take() else {
        return Ok(None);
    };
    let name = G::SPEC.name;
    let id = agent
        .id()
        .ok_or(StartError::NoId { agent: name })?
        .to_owned();
    if id.is_empty() {
        return Err(StartError::EmptyId { agent: name });
    }
    if id.trim() != id {
        return Err(StartError::UntrimmedId { agent: name, id });
    }
    let opened = async {
        let mut log = store.open(&id)?;
        let recovered = log.recover().await?;
        let tables = KeyTables::read(&mut *log).await?;
        let lost = lost_rows(&mut *log, recovered.last_seq()).await?;
        Ok((log, recovered, tables, lost))
    };
    let opened: Result<_, StoreError> = opened.await;
    match opened {
        Ok((log, recovered, tables, lost)) => Ok(Some(OpenedLog {
            log,
            recovered,
            tables,
            lost,
            id,
        })),
        Err(source) => Err(StartError::Store { id, source }),
    }
}

/// The contents of the log, empty without a store.
struct Restored<W> {
    journal: Option<Journal>,
    recovery: Recovery,
    pending: PendingDirectives,
    keys: UsedKeys<W>,
}

fn recover<G: Agent, W>(
    agent: &mut G,
    settings: &Settings<G>,
    opened: Option<OpenedLog>,
    now: u64,
) -> Result<Restored<W>, StartError> {
    let Some(OpenedLog {
        log,
        recovered,
        tables,
        lost,
        id,
    }) = opened
    else {
        return Ok(Restored {
            journal: None,
            recovery: Recovery::default(),
            pending: PendingDirectives::new(),
            keys: UsedKeys::default(),
        });
    };
    let build = process::build::<G>();
    let refuse = |source: RecoveryError| StartError::Recovery {
        id: id.clone(),
        source,
    };
    let quoting = Quoting {
        payloads: settings.trace_payloads,
    };
    if let Some(damage) = &recovered.damage {
        tracing::error!(agent = G::SPEC.name, %id, %damage, "the log was damaged, and was cut");
    }
    let restored = apply_recovered(agent, recovered, &settings.recovery, &build, quoting);
    let restored = restored.map_err(refuse)?;
    for skill in &restored.recovery.other_configuration {
        tracing::warn!(agent = G::SPEC.name, %id, %skill, "the configuration is not the one that was stored");
    }
    for (skill, field) in &restored.kept_fields {
        tracing::warn!(
            agent = G::SPEC.name, %id, %skill, field,
            "a field keeps its stored value, which is not that of the configuration; `#[skill(from_config, always)]` takes the configuration's"
        );
    }
    for key in &restored.recovery.forgotten {
        tracing::warn!(agent = G::SPEC.name, %id, %key, "a stored state or field was dropped; remove `forget` from the builder");
    }
    for problem in &restored.recovery.violations {
        tracing::warn!(agent = G::SPEC.name, %id, %problem, "a stored value violates a constraint");
    }
    let states = StateEncoder::new(quoting, settings.verify_records);
    let (pending, seq) = (restored.log.pending.clone(), restored.log.seq);
    let mut journal = Journal::new(log, id.clone(), build, restored.log, states);
    if let Err(source) = journal.check_states(agent) {
        return Err(StartError::State { id, source });
    }
    let (keys, mut rows) = restore_keys::<G, W>(tables, &restored.adopted, seq, now);
    rows.extend(lost);
    if restored.needs_snapshot || !rows.is_empty() {
        let made = journal.make_first_snapshot(agent, rows);
        made.map_err(|source| StartError::Store { id, source })?;
    }
    Ok(Restored {
        journal: Some(journal),
        recovery: restored.recovery,
        pending,
        keys,
    })
}

/// Restores the used keys, adds rows for instances, and returns the changes to the side tables.
fn restore_keys<G: Agent, W>(
    tables: KeyTables,
    adopted: &[(String, String)],
    seq: u64,
    now: u64,
) -> (UsedKeys<W>, Vec<TableChange>) {
    let (mut keys, mut rows) = UsedKeys::restore(tables, seq, now);
    rows.extend(keys.adopt_instances(adopted));
    for index in 0..process::skills::<G>().len() {
        rows.extend(keys.add_instance(process::key::<G>(index)));
    }
    (keys, rows)
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
