//! Signals one of whose instructions needs approval: repeated ones, and ones that change meanwhile.

use super::*;
use skill_agent::server::{Attempt, Decision};
use tokio::sync::{mpsc, oneshot};

/// The requests of a server, each with a sender for the verdict.
type Requests = mpsc::UnboundedReceiver<(ApprovalRequest, oneshot::Sender<Verdict>)>;

async fn asking(builder: AgentServerBuilder<Bank>) -> (AgentServer<Bank>, Requests) {
    let (tx, requests) = mpsc::unbounded_channel();
    let builder = builder.approver(move |request| {
        let tx = tx.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            tx.send((request, answer)).unwrap();
            answered.await.unwrap_or(Verdict::Deny("no answer".into()))
        }
    });
    (builder.start().await.unwrap(), requests)
}

/// A signal that is sent again while the approver is asked about the first one does not run without an approval of its own.
#[timed_test::test]
async fn a_repeated_signal_is_not_run_when_the_first_one_is_not() {
    enum First {
        Decided(Verdict),
        Unanswered,
        GivenUp,
    }
    let firsts = [
        First::Decided(Verdict::Deny("no".into())),
        First::Decided(Verdict::Abort("no".into())),
        First::Decided(Verdict::Later),
        First::Unanswered,
        First::GivenUp,
    ];
    for first in firsts {
        let (server, mut requests) = asking(bank(None)).await;
        server.call(Pay { cents: 1 }).await.unwrap();
        let model = server.on_behalf_of(ForeignCaller::Model);
        let request = || {
            let (model, signal) = (model.clone(), stamped("accounts.close", "1", json!({})));
            tokio::spawn(async move { model.request(signal).await })
        };
        let asked = request();
        let (_, answer) = requests.recv().await.unwrap();
        let repeated = request();
        model
            .send(stamped("accounts.close", "1", json!({})))
            .await
            .unwrap();
        // The repeated ones have reached the server.
        for _ in 0..3 {
            assert_eq!(paid(&server).await, [1]);
        }
        match first {
            First::Decided(verdict) => answer.send(verdict).unwrap(),
            First::Unanswered => drop(answer),
            First::GivenUp => asked.abort(),
        }
        // Each of them asks for itself.
        for _ in 0..2 {
            let (_, answer) = requests.recv().await.unwrap();
            answer.send(Verdict::Deny("no".into())).unwrap();
        }
        assert!(repeated.await.unwrap().is_err());
        assert_eq!(paid(&server).await, [1]);
    }
}

#[timed_test::test]
async fn the_arguments_of_the_approver_count_even_if_the_guard_would_now_allow_others() {
    let is_open = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let open = is_open.clone();
    let guard = move |attempt: &Attempt<'_>| match attempt.of::<Pay>() {
        Some(_) if !open.load(Ordering::Relaxed) => Decision::Ask,
        _ => Decision::Allow,
    };
    let builder = bank(None).guard(guard);
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap();
    let signal = Signal::new("accounts.pay", json!({ "cents": 50_000 }));
    let Err(ServeError::Pending(request)) = server.request(signal).await else {
        panic!("the approver decides later");
    };
    is_open.store(true, Ordering::Relaxed);
    let less = Verdict::ApproveWith(json!({ "cents": 2 }));
    assert_eq!(server.decide(*request, less).await.unwrap(), "2");
    assert_eq!(paid(&server).await, [2]);
}

/// Takes each signal once.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gate", hooks)]
pub struct Gate {
    pub taken: u32,
}

impl Hooks for Gate {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, skill_agent::HookError> {
        match (signal.ty(), self.taken) {
            ("gate.enter", 0) => {
                self.taken += 1;
                cx.reply(Signal::new("gate.entered", json!("welcome")));
                Ok(Handled::Done)
            }
            ("gate.enter", _) => Err(skill_agent::HookError::new("the gate is closed")),
            _ => Ok(Handled::Ignored),
        }
    }
}

agent! {
    /// Has a gate.
    pub struct GateAgent {
        name: "gate_agent",
        skills: [Gate],
    }
}

/// With a guard, the hooks see a repeated signal of the program too. Their failure does not hide the recorded answer from it.
#[timed_test::test]
async fn a_repeated_signal_of_the_program_is_answered_although_its_hook_fails() {
    let guard = |_: &Attempt<'_>| Decision::Allow;
    let server = AgentServer::builder(GateAgent::new()).guard(guard);
    let server = server.start().await.unwrap();
    let enter = |id| stamped("gate.enter", id, json!({}));
    for _ in 0..2 {
        assert_eq!(server.request(enter("1")).await.unwrap(), "welcome");
    }
    let error = server.request(enter("2")).await.unwrap_err();
    assert!(matches!(error, ServeError::Action(_)), "{error:?}");
    let model = server.on_behalf_of(ForeignCaller::Model);
    assert!(
        model.request(enter("1")).await.is_err(),
        "its keys are its own"
    );
}
