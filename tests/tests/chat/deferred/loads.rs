//! Loads by the model, and calls before and after them.

use super::{Clerk, LOADED, chat, clerk, load, names, pay_one, results, shortened};
use crate::support::{Notes, contexts, raw};
use skill_agent::chat::{Chat, ContextOrigin, CutTurns, Message, Scripted};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{ToolError, Toolbox};

#[timed_test::test]
async fn a_model_loads_a_skill_before_it_calls_the_skills_tools() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([pay_one()])
        .raw_calls([load("billing"), pay_one()]);
    let model = model
        .raw_calls([pay_one()])
        .raw_calls([load("billing")])
        .text("Paid.");
    let mut chat = chat(&model, &server);
    assert_eq!(chat.system_text(), "A note is one short sentence.");
    let turn = chat.send("Pay one cent.").await.unwrap();
    let first = "error: load `billing` with the tool `skill` first, and then call `pay`";
    // a load counts from the next step on
    let expected = [
        first,
        LOADED,
        first,
        "1",
        "The tools of `billing` are already loaded.",
    ];
    assert_eq!(results(&turn), expected);
    assert!(matches!(
        turn.calls[0].result.as_ref().unwrap_err(),
        ToolError::NotLoaded { tool, group, .. } if tool == "pay" && group == "billing"
    ));
    let part = &contexts(&chat.history()[4])[0];
    assert_eq!((part.origin, &*part.text), (ContextOrigin::Model, ""));
    assert_eq!(
        (&*part.groups, part.loaded.len()),
        (&["billing".to_owned()][..], 0)
    );
    // nothing else changes
    let requests = model.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.tools == requests[0].tools)
    );
    assert_eq!(chat.system_text(), "A note is one short sentence.");
    let skill = requests[0]
        .tools
        .iter()
        .find(|tool| tool.name == "skill")
        .unwrap();
    assert_eq!(
        skill.description,
        "Load and invoke a specialized skill. <skills>\n  \
         <skill name=\"billing\">Bills and refunds of &lt;customers>.</skill>\n  \
         <skill name=\"trips\">Trips by train.</skill>\n</skills>"
    );
    let ids = &skill.input_schema["properties"]["skill_name"]["enum"];
    assert_eq!(*ids, serde_json::json!(["billing", "trips"]));
}

#[timed_test::test]
async fn other_callers_have_the_tools_at_once() {
    let server = clerk().await;
    let tools: Vec<_> = Clerk::tools().iter().map(|tool| tool.name).collect();
    assert!(
        tools.contains(&"pay") && tools.contains(&"trips_book"),
        "{tools:?}"
    );
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let list = session.list().await;
    let pay = list
        .tools
        .iter()
        .find(|listed| listed.tool.name == "pay")
        .unwrap();
    assert_eq!(pay.group.as_deref(), Some("billing"));
    assert!(list.tools.iter().all(|listed| listed.tool.name != "skill"));
    assert_eq!(
        session.call("pay", r#"{"cents":2}"#).await.unwrap().text(),
        "2"
    );
    assert_eq!(server.call(super::Pay { cents: 1 }).await.unwrap(), 3);
    let specs: Vec<_> = Clerk::skills().iter().map(|spec| spec.deferred).collect();
    assert_eq!(specs, [false, true, true]);
}

#[timed_test::test]
async fn a_load_is_no_permission() {
    let server = AgentServer::builder(Clerk::new())
        .resources(crate::support::Gates {
            gate: crate::support::gate().0,
        })
        .approver(|_: ApprovalRequest| async { Verdict::Deny("not today".into()) })
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([raw("refund", "{}")])
        .text("No.");
    let turn = chat(&model, &server).send("Pay it back.").await.unwrap();
    assert!(
        results(&turn)[1].contains("not today"),
        "{:?}",
        results(&turn)
    );
}

#[timed_test::test]
async fn a_guard_decides_on_the_load_of_a_source_like_on_other_tools() {
    let server = clerk().await;
    let toolbox = Toolbox::builder().server(&server);
    let toolbox = toolbox.guard(|attempt: &Attempt<'_>| {
        if attempt.tool.name == "skill" {
            Decision::Ask
        } else {
            Decision::Allow
        }
    });
    let toolbox = toolbox.approver(|_: ApprovalRequest| async { Verdict::Later });
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([pay_one()])
        .text("Paid.");
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let waiting = chat.send("Pay.").await.unwrap();
    assert!(contexts(&chat.history()[2]).is_empty());
    let id = waiting.pending[0].id.clone();
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!(results(&turn), [LOADED, "1"]);
    assert_eq!(contexts(&chat.history()[2])[0].groups, ["billing"]);
}

#[timed_test::test]
async fn another_process_reads_the_loads_from_the_history() {
    let server = clerk().await;
    let model = Scripted::new().raw_calls([load("billing")]).text("Loaded.");
    let mut first = chat(&model, &server);
    first.send("Load it.").await.unwrap();
    let stored = serde_json::to_string(first.history()).unwrap();
    let history: Vec<Message> = serde_json::from_str(&stored).unwrap();
    let model = Scripted::new().raw_calls([pay_one()]).text("Paid.");
    let builder = Chat::builder(model, Toolbox::of(&server)).history(history.clone());
    let turn = builder.build().unwrap().send("Pay.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);

    // a build without the skill says so, once
    agent! {
        pub struct Writer {
            name: "clerk",
            skills: [Notes],
            deferred: [super::Travel],
        }
    }
    let gates = crate::support::Gates {
        gate: crate::support::gate().0,
    };
    let server = AgentServer::builder(Writer::new())
        .resources(gates)
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([pay_one()])
        .text("It is gone.")
        .text("Yes.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).history(history);
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Pay.").await.unwrap();
    assert!(
        results(&turn)[0].contains("there is no tool `pay`"),
        "{:?}",
        results(&turn)
    );
    chat.send("Go on.").await.unwrap();
    let requests = model.requests();
    let parts = requests[2].messages.iter().flat_map(contexts);
    let said = parts.filter(|part| part.text.contains("no longer exist: `billing`."));
    assert_eq!(said.count(), 1);
}

#[timed_test::test]
async fn a_load_survives_a_compaction() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .text("Loaded.")
        .text("Yes.")
        .text("Yes.")
        .text("Yes.");
    let model = model.raw_calls([pay_one()]).text("Paid.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    chat.send("Load it.").await.unwrap();
    shortened(&mut chat).await;
    let turn = chat.send("Pay.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);
    let requests = model.requests();
    let last = requests.last().unwrap();
    assert!(last.messages.len() < chat.history().len());
    let parts: Vec<_> = last.messages.iter().flat_map(contexts).collect();
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert_eq!(
        (&*parts[0].text, parts[0].origin),
        (LOADED, ContextOrigin::Carried)
    );
    assert!(parts[0].block().unwrap().contains("Amounts are in cents."));
    assert_eq!(names(&requests[0]), names(last));
}
