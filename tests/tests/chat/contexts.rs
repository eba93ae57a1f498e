//! Documents that are activated in a living chat: what a request contains, and what the history says.

use crate::support::contexts;
use serde_json::json;
use skill_agent::chat::{
    ActivateError, Chat, ContextOrigin, ContextPart, CutTurns, Message, ModelError, Role, Scripted,
    Turn,
};
use skill_agent::manifest::selection::{ActivationPeriod, Activations, SelectionPolicy};
use skill_agent::manifest::{ActivateDocumentError, Catalog, CommandOutcome, Dialect, Source};
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::Toolbox;
use std::path::Path;

fn catalog(folder: &Path) -> Catalog {
    for (id, body) in [
        ("plan", "Plan first. </context>"),
        ("review", "Read twice."),
    ] {
        let text = format!("---\nname: {id}\ndescription: About a {id}.\n---\n{body}\n");
        std::fs::create_dir_all(folder.join(id)).unwrap();
        std::fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
    }
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS);
    catalog.source(Source::project(folder)).load()
}

async fn toolbox(folder: &Path, policy: SelectionPolicy) -> Toolbox {
    let builder = Toolbox::builder().catalog(catalog(folder));
    builder.selection_policy(policy).build().await.unwrap()
}

fn saying(answers: usize) -> Scripted {
    (0..answers).fold(Scripted::new(), |model, _| model.text("Yes."))
}

const PLAN: &str = "<skill name=\"plan\">\nPlan first. </context>\n</skill>";

#[timed_test::test]
async fn an_activated_document_is_in_the_next_message_and_stays_there() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let model = saying(3);
    let mut chat = Chat::builder(model.clone(), toolbox.clone())
        .build()
        .unwrap();
    chat.send("Hello.").await.unwrap();
    assert!(chat.activate("plan").await.unwrap());
    assert!(chat.activations().is_active("plan"));
    assert!(
        !chat.activate("plan").await.unwrap(),
        "it is active already"
    );
    chat.send("Now plan.").await.unwrap();
    chat.send("Go on.").await.unwrap();

    let said = &chat.history()[2];
    assert_eq!(said.text(), "Now plan.");
    let part = &contexts(said)[0];
    assert_eq!((part.origin, &*part.text), (ContextOrigin::Program, PLAN));
    assert_eq!(
        (&*part.loaded, part.turns),
        (&["plan".to_owned()][..], None)
    );
    let requests = model.requests();
    assert!(requests[2].messages.starts_with(&requests[1].messages));
    assert_eq!(requests[0].system, requests[2].system);
    assert!(contexts(&requests[2].messages[4]).is_empty());

    // another process, with the history alone
    let stored = serde_json::to_string(chat.history()).unwrap();
    let history = serde_json::from_str(&stored).unwrap();
    let again = Chat::builder(saying(1), toolbox)
        .history(history)
        .build()
        .unwrap();
    assert_eq!(again.activations(), chat.activations());
    assert!(again.activations().is_active("plan"));
}

#[timed_test::test]
async fn the_turn_of_the_message_is_the_first_one_of_an_activation() {
    let folder = tempfile::tempdir().unwrap();
    let policy = SelectionPolicy::LAZY_TOOL.period(ActivationPeriod::Turns(2));
    let toolbox = toolbox(folder.path(), policy).await;
    let model = saying(9);
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    chat.activate("plan").await.unwrap();
    for is_active in [true, true, false] {
        chat.send("Hello.").await.unwrap();
        assert_eq!(chat.activations().is_active("plan"), is_active);
    }
}

#[timed_test::test]
async fn a_deactivated_document_is_active_again_only_after_it_is_activated() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let model = saying(9);
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    assert!(!chat.deactivate("plan"));
    chat.activate("plan").await.unwrap();
    assert!(chat.deactivate("plan"), "before any message");
    chat.send("Hello.").await.unwrap();
    assert!(contexts(&chat.history()[0]).is_empty());

    chat.activate("plan").await.unwrap();
    chat.send("Plan.").await.unwrap();
    assert!(chat.deactivate("plan") && !chat.deactivate("plan"));
    chat.send("No plan.").await.unwrap();
    assert_eq!(contexts(&chat.history()[4])[0].ended, ["plan"]);
    assert!(!chat.activations().is_active("plan"));
    assert!(chat.activate("plan").await.unwrap());
    chat.send("Plan again.").await.unwrap();
    assert_eq!(contexts(&chat.history()[6])[0].text, PLAN);
}

#[timed_test::test]
async fn what_cannot_be_activated_is_an_error_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::INDEX).await;
    let mut chat = Chat::builder(saying(1), toolbox).build().unwrap();
    let error = chat.activate("plans").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no skill `plans` is offered; did you mean `plan`?"
    );
    chat.activate("plan").await.unwrap();
    let error = chat.activate("review").await.unwrap_err();
    assert!(
        matches!(
            error,
            ActivateError::Document(ActivateDocumentError::Refused(_))
        ),
        "{error}"
    );
    chat.send("Hello.").await.unwrap();
    let added = contexts(&chat.history()[0]);
    let loaded: Vec<_> = added.iter().flat_map(|part| &part.loaded).collect();
    assert_eq!(loaded, ["plan"]);

    let empty = Toolbox::builder().build().await.unwrap();
    let mut chat = Chat::builder(saying(1), empty).build().unwrap();
    let error = chat.activate("plan").await.unwrap_err();
    assert!(matches!(error, ActivateError::NoCatalog), "{error}");
}

#[timed_test::test]
async fn a_message_that_failed_is_sent_again_with_its_documents() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let model = Scripted::new()
        .error(ModelError::Request("a map".into()))
        .text("Yes.");
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    chat.activate("plan").await.unwrap();
    chat.send("Plan.").await.unwrap_err();
    assert_eq!(chat.history(), []);
    chat.send("Plan.").await.unwrap();
    let requests = model.requests();
    assert_eq!(requests[0].messages, requests[1].messages);
    assert_eq!(contexts(&chat.history()[0]).len(), 1);
}

#[timed_test::test]
async fn a_load_by_the_model_is_in_the_message_with_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let load = |name: &str| [("skill", json!({ "skill_name": name }))];
    let model = Scripted::new().calls(load("plan")).text("Loaded.");
    let model = model.calls(load("gone")).text("It is gone.");
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    chat.send("Load it.").await.unwrap();
    let loaded = &contexts(&chat.history()[2])[0];
    assert_eq!((loaded.origin, &*loaded.text), (ContextOrigin::Model, ""));
    assert_eq!(loaded.loaded, ["plan"]);
    assert!(chat.activations().is_active("plan"));
    chat.send("Load another.").await.unwrap();
    assert!(contexts(&chat.history()[6]).is_empty());
}

#[timed_test::test]
async fn activations_that_an_earlier_version_kept_become_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let history = || vec![Message::user("Load it."), Message::assistant("Loaded.")];
    let kept = |turns| {
        let mut kept = Activations::default();
        kept.start_turn();
        let policy = SelectionPolicy::LAZY_TOOL.period(ActivationPeriod::Turns(turns));
        kept.activate("plan", &policy).unwrap();
        kept
    };
    for (turns, is_active_next) in [(1, false), (2, true)] {
        let builder = Chat::builder(saying(1), toolbox.clone()).history(history());
        let mut chat = builder.activations(kept(turns)).build().unwrap();
        assert!(chat.activations().is_active("plan"));
        assert_eq!(
            contexts(&chat.history()[1])[0].origin,
            ContextOrigin::Stored
        );
        chat.send("And now?").await.unwrap();
        assert_eq!(chat.activations().is_active("plan"), is_active_next);
        // its own history has all of that
        let builder = Chat::builder(saying(1), toolbox.clone());
        let builder = builder.history(chat.history().to_vec());
        let again = builder.activations(chat.activations()).build().unwrap();
        assert_eq!(again.history(), chat.history());
    }
}

#[timed_test::test]
async fn the_texts_of_active_documents_survive_a_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let load = [("skill", json!({ "skill_name": "review" }))];
    let model = saying(2)
        .calls(load)
        .text("Loaded.")
        .text("Yes.")
        .text("Yes.");
    let builder = Chat::builder(model.clone(), toolbox).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    chat.activate("plan").await.unwrap();
    chat.send("Plan.").await.unwrap();
    chat.send("Long.".repeat(400)).await.unwrap();
    chat.send("Review it.").await.unwrap();
    chat.send("Long.".repeat(400)).await.unwrap();
    chat.send("Short.").await.unwrap();
    let requests = model.requests();
    let last: &[Message] = &requests[5].messages;
    let shown: Vec<_> = last.iter().flat_map(contexts).collect();
    let texts: Vec<_> = shown.iter().map(|part| part.text.as_str()).collect();
    assert!(last.len() < chat.history().len(), "{last:?}");
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert_eq!(texts[0], PLAN);
    assert!(texts[1].contains("Read twice."), "{texts:?}");
    assert_eq!(last[0].role, Role::User);
    assert!(chat.activations().is_active("plan") && chat.activations().is_active("review"));
}

#[timed_test::test]
async fn a_decision_keeps_what_waits_for_the_next_message() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::builder().catalog(catalog(folder.path()));
    let toolbox = toolbox.guard(|_: &Attempt<'_>| Decision::Ask);
    let toolbox = toolbox.approver(|_: ApprovalRequest| async { Verdict::Later });
    let load = [("skill", json!({ "skill_name": "review" }))];
    let model = Scripted::new().calls(load).text("Loaded.").text("Yes.");
    let builder = Chat::builder(model, toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let id = chat.send("Load it.").await.unwrap().pending[0].id.clone();
    assert!(chat.activate("plan").await.unwrap());
    chat.decide(&id, true).await.unwrap();
    assert!(chat.activations().is_active("review"));
    chat.send("Now plan.").await.unwrap();
    assert_eq!(
        contexts(chat.history().iter().rev().nth(1).unwrap())[0].text,
        PLAN
    );
    assert!(chat.activations().is_active("plan"));
}

#[timed_test::test]
async fn an_activation_whose_turn_has_ended_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::INDEX).await;
    let mut chat = Chat::builder(saying(9), toolbox).build().unwrap();
    for id in ["plan", "plan", "review"] {
        assert!(chat.activate(id).await.unwrap(), "{id}");
        chat.send("Hello.").await.unwrap();
        assert!(chat.activations().is_active(id));
    }
}

#[timed_test::test]
async fn a_part_cannot_end_its_block() {
    let mut part = ContextPart::new(ContextOrigin::Program);
    part.text = "a </Context > b".to_owned();
    assert_eq!(
        part.block().unwrap(),
        "<context>\na &lt;/Context > b\n</context>"
    );
}

#[timed_test::test]
async fn a_compaction_that_keeps_turns_repeats_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let model = saying(9);
    let builder = Chat::builder(model.clone(), toolbox).history_tokens(1_000);
    let mut chat = builder.build().unwrap();
    chat.send("Long.".repeat(500)).await.unwrap();
    chat.activate("plan").await.unwrap();
    for message in ["Plan.", "Go on.", &"Long.".repeat(250), "Short.", "Short."] {
        chat.send(message).await.unwrap();
    }
    for request in &model.requests()[1..] {
        let texts = request.messages.iter().flat_map(contexts);
        assert_eq!(texts.filter(|part| part.text == PLAN).count(), 1);
    }
}

#[timed_test::test]
async fn a_document_that_a_person_runs_is_in_the_next_message() {
    let folder = tempfile::tempdir().unwrap();
    let text = "---\nname: plan\ndescription: Plans.\nargument-hint: \"[goal]\"\ndisable-model-invocation: true\n---\nPlan $ARGUMENTS.\n";
    std::fs::create_dir_all(folder.path().join("plan")).unwrap();
    let file = folder.path().join("plan/SKILL.md");
    std::fs::write(&file, text).unwrap();
    let catalog =
        Catalog::builder(Dialect::AGENT_SKILLS_LENIENT).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder()
        .catalog(catalog.load())
        .build()
        .await
        .unwrap();
    let model = saying(9);
    let mut chat = Chat::builder(model.clone(), toolbox.clone())
        .build()
        .unwrap();
    let outcome = chat.command("/skill plan 'the release'").await.unwrap();
    let CommandOutcome::Activate { id, args, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((&*id, &*args), ("plan", &["the release".to_owned()][..]));
    chat.command("/skill plan the talk").await.unwrap();
    chat.send("Go.").await.unwrap();
    let parts = contexts(&chat.history()[0]);
    let expected = "<skill name=\"plan\">\nPlan the talk.\n</skill>";
    assert_eq!(
        parts.iter().map(|part| &*part.text).collect::<Vec<_>>(),
        [expected]
    );
    assert!(chat.activations().is_active("plan"));

    let outcome = chat.command("/skills").await.unwrap();
    assert!(matches!(outcome, CommandOutcome::Text(text) if text.contains("plan")));
    let error = chat.command("/skill plans").await.unwrap_err();
    assert!(matches!(error, ActivateError::Command(_)), "{error}");
    std::fs::remove_file(file).unwrap();
    chat.command("/reload_skills").await.unwrap();
    assert_eq!(toolbox.catalog().unwrap().skills().count(), 0);
    chat.send("Go on.").await.unwrap();
    assert!(contexts(&chat.history()[2]).is_empty());
}

#[timed_test::test]
async fn an_active_document_is_read_again_only_if_it_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let load = |name: &str| [("skill", json!({ "skill_name": name }))];
    let model = Scripted::new().calls(load("plan")).text("It is active.");
    let model = model
        .calls(load("review"))
        .calls(load("review"))
        .text("Loaded.");
    let model = model.calls(load("review")).text("It has changed.");
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    chat.activate("plan").await.unwrap();
    let text = |turn: &Turn, call: usize| {
        turn.calls[call]
            .result
            .as_ref()
            .unwrap()
            .text()
            .into_owned()
    };
    let note = |id: &str| {
        format!(
            "The skill `{id}` is already active. An earlier message has its text, which has not changed."
        )
    };
    let turn = chat.send("Plan.").await.unwrap();
    assert_eq!(text(&turn, 0), note("plan"));
    let turn = chat.send("Review.").await.unwrap();
    assert_eq!(
        [text(&turn, 0), text(&turn, 1)],
        ["Read twice.".to_owned(), note("review")]
    );
    let requests = model.requests();
    let results = requests[4].messages.last().unwrap().results();
    assert_eq!(
        results
            .map(|part| part.text().into_owned())
            .collect::<Vec<_>>(),
        [note("review")]
    );
    let file = folder.path().join("review/SKILL.md");
    std::fs::write(
        file,
        "---\nname: review\ndescription: About a review.\n---\nRead once.\n",
    )
    .unwrap();
    let turn = chat.send("Review again.").await.unwrap();
    assert_eq!(text(&turn, 0), "Read once.");
}

#[timed_test::test]
async fn a_text_that_was_loaded_twice_survives_a_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = toolbox(folder.path(), SelectionPolicy::LAZY_TOOL).await;
    let load = || [("skill", json!({ "skill_name": "review" }))];
    let model = Scripted::new().calls(load()).text("Loaded.").text("Yes.");
    let model = model.calls(load()).text("Loaded again.").text("Yes.");
    let builder = Chat::builder(model.clone(), toolbox).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    chat.send("Review it.").await.unwrap();
    chat.send("Long.".repeat(900)).await.unwrap();
    chat.send("Review it again.").await.unwrap();
    chat.send("Short.").await.unwrap();
    let requests = model.requests();
    let last: &[Message] = &requests[5].messages;
    assert!(last.len() + 1 < chat.history().len(), "{last:?}");
    let shown = last.iter().flat_map(contexts).map(|part| part.text.clone());
    let shown: Vec<_> = shown.filter(|text| !text.is_empty()).collect();
    assert_eq!(shown, ["<skill name=\"review\">\nRead twice.\n</skill>"]);
}

#[timed_test::test]
async fn a_document_that_only_people_run_is_the_single_one_of_an_index_too() {
    let folder = tempfile::tempdir().unwrap();
    drop(catalog(folder.path()));
    let text = "---\nname: plan\ndescription: Plans.\ndisable-model-invocation: true\n---\nPlan.\n";
    std::fs::write(folder.path().join("plan/SKILL.md"), text).unwrap();
    let catalog =
        Catalog::builder(Dialect::AGENT_SKILLS_LENIENT).source(Source::project(folder.path()));
    let toolbox = Toolbox::builder()
        .catalog(catalog.load())
        .selection_policy(SelectionPolicy::INDEX);
    let toolbox = toolbox.build().await.unwrap();
    let load = [("skill", json!({ "skill_name": "review" }))];
    let model = Scripted::new().calls(load).text("No.");
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    chat.command("/skill plan").await.unwrap();
    let turn = chat.send("Review it.").await.unwrap();
    assert!(turn.calls[0].result.is_err(), "{:?}", turn.calls[0].result);
    assert_eq!(chat.activations().active().collect::<Vec<_>>(), ["plan"]);
    assert!(chat.activate("review").await.unwrap(), "in the next turn");
}
