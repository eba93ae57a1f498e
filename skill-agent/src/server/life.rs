//! The beginning of a server.

use super::builder::Settings;
use super::error::{RecoveryError, StartError};
use super::host::Host;
use super::ledger::{Beginning, Ledger};
use super::letter::Message;
use super::outlet::OUTLET_CAPACITY;
use super::owner::{Aborted, Batch, Epitaph, Jobs, Owner, Pendings};
use super::panics::catch;
use super::plan::Plan;
use super::press::Press;
use super::recent::Recent;
use super::recovery::{Recovery, take_over};
use super::{AgentServer, Shared};
use crate::children::Supervisor;
use crate::store::{Log, Recovered, StoreError};
use skill_core::process;
use skill_core::{Agent, Start};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};

/// Recovers, sets up, tells the skills, and lets the task run.
pub(crate) async fn start<G: Agent>(
    mut agent: G,
    mut settings: Settings<G>,
) -> Result<AgentServer<G>, StartError> {
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(StartError::NoRuntime);
    }
    let stored = open(&agent, &mut settings).await?;
    let (ledger, recovery, pendings, recent) = recover(&mut agent, &settings, stored)?;
    let (closed_tx, closed) = watch::channel(None);
    let shared = Arc::new(Shared {
        hub: std::mem::take(&mut settings.hub),
        counters: Default::default(),
        clock: settings.clock.clone(),
        orders: Default::default(),
        closed,
        recovery,
        subscription: settings.subscription,
    });
    let (mailbox, messages) = mpsc::channel(settings.mailbox);
    let panicked = |message| StartError::Panicked { message };
    let children =
        catch(|| children(&agent, &mut settings, &shared, &mailbox)).map_err(panicked)??;
    let plan = catch(|| Plan::new(&agent)).map_err(panicked)?;
    let (outlet, pressed, press) = match settings.outlet.clone() {
        Some(outlet) => {
            let (parcels_tx, parcels) = mpsc::channel(OUTLET_CAPACITY);
            let (told, pressed) = mpsc::unbounded_channel();
            let press = Press {
                outlet,
                parcels,
                told,
                clock: settings.clock.clone(),
                backoff: settings.backoff,
            };
            (
                Some(parcels_tx),
                Some(pressed),
                Some(tokio::spawn(press.run())),
            )
        }
        None => (None, None, None),
    };
    let mut owner = Owner {
        plan,
        agent,
        shared: shared.clone(),
        ledger,
        batch: Batch::new(),
        recent: Recent::new(recent),
        inner: VecDeque::new(),
        again: VecDeque::new(),
        agenda: Default::default(),
        timer: None,
        jobs: Jobs::new(settings.concurrency, settings.mailbox),
        children,
        outlet,
        pressed,
        press: Aborted(press),
        parcels: VecDeque::new(),
        ids: super::ids::Ids::new(),
        stopping: None,
        is_closing: false,
        settings,
    };
    let start = match shared.recovery.is_restored {
        true => Start::Restored,
        false => Start::Fresh,
    };
    owner.begin_serving(start, pendings).await?;
    tracing::info!(
        agent = G::SPEC.name,
        id = owner.agent.id(),
        ?start,
        "started"
    );
    tokio::spawn(owner.run(messages, Epitaph::new(closed_tx, shared.clone())));
    Ok(AgentServer::new(mailbox, shared))
}

/// The log of the agent, and what it holds.
type Stored = Option<(Box<dyn Log>, Recovered, String)>;

async fn open<G: Agent>(agent: &G, settings: &mut Settings<G>) -> Result<Stored, StartError> {
    let Some(store) = settings.store.take() else {
        return Ok(None);
    };
    let name = G::SPEC.name;
    let id = agent
        .id()
        .ok_or(StartError::NoId { agent: name })?
        .to_owned();
    let own = id.clone();
    let opened = tokio::task::spawn_blocking(move || {
        let mut log = store.open(&own)?;
        let recovered = log.recover()?;
        Ok((log, recovered))
    });
    let opened: Result<_, StoreError> = match opened.await {
        Ok(opened) => opened,
        Err(error) => Err(StoreError::unusable(&id, error.to_string())),
    };
    match opened {
        Ok((log, recovered)) => Ok(Some((log, recovered, id))),
        Err(source) => Err(StartError::Store { id, source }),
    }
}

type Ready = (Option<Ledger>, Recovery, Pendings, Vec<crate::store::Keyed>);

fn recover<G: Agent>(
    agent: &mut G,
    settings: &Settings<G>,
    stored: Stored,
) -> Result<Ready, StartError> {
    let Some((log, recovered, id)) = stored else {
        return Ok((None, Recovery::default(), Pendings::new(), Vec::new()));
    };
    let build = process::build::<G>();
    let refuse = |source: RecoveryError| StartError::Recovery {
        id: id.clone(),
        source,
    };
    let taken = take_over(agent, recovered, &settings.forget, &build).map_err(refuse)?;
    if let Some(damage) = &taken.recovery.damage {
        tracing::error!(agent = G::SPEC.name, %id, %damage, "the log was damaged, and was cut");
    }
    for change in &taken.recovery.other_configuration {
        tracing::warn!(agent = G::SPEC.name, %id, skill = %change, "the configuration is not the one that was stored");
    }
    let beginning = Beginning {
        seq: taken.seq,
        next_directive: taken.next_directive,
        pending: taken.pending.clone(),
        records: taken.recovery.records as u64,
        bytes: taken.bytes,
    };
    let mut ledger = Ledger::new(log, id.clone(), build, beginning);
    ledger.is_new_build = taken.is_new_build;
    Ok((Some(ledger), taken.recovery, taken.pending, taken.recent))
}

/// Those that skills declare, in requirement order, then those of the builder.
fn children<G: Agent>(
    agent: &G,
    settings: &mut Settings<G>,
    shared: &Arc<Shared>,
    mailbox: &mpsc::Sender<Message<G>>,
) -> Result<Supervisor, StartError> {
    let mut specs = Vec::new();
    for skill in process::requirement_order::<G>() {
        let name = process::skills::<G>()[skill].name;
        let own = process::child_specs(agent, skill).into_iter();
        specs.extend(own.map(|spec| (name, spec)));
    }
    let added = settings.children.drain(..);
    specs.extend(added.map(|spec| ("the builder of the server", spec)));
    let host = Arc::new(Host {
        name: G::SPEC.name,
        id: agent.id().map(str::to_owned),
        mailbox: mailbox.downgrade(),
        resources: std::mem::take(&mut settings.shared),
    });
    let supervisor = Supervisor::new(specs, shared.clock.clone(), host)?;
    Ok(supervisor
        .with_limits(settings.restart_limits)
        .with_backoff(settings.backoff))
}
