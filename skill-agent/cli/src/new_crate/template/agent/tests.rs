//! The program with a scripted model and a store in memory. A test needs no network and no file.

use super::{Assistant, open, talk};
use crate::skills::tasks::{AddTask, FinishTask};
use skill_agent::chat::Scripted;
use skill_agent::prelude::*;
use skill_agent::serde_json::json;
use skill_agent::store::Memory;

/// Runs the program with the lines of a person, and returns what it prints.
async fn run(store: &Memory, model: &Scripted, lines: &str) -> String {
    let (server, chats) = open(store.clone(), model.clone()).await.unwrap();
    let mut output = Vec::new();
    talk(&chats, lines.as_bytes(), &mut output).await.unwrap();
    server.stop().await.unwrap();
    String::from_utf8(output).unwrap()
}

/// Returns a model that notes milk.
fn noting() -> Scripted {
    let note = json!({ "text": "Buy milk." });
    Scripted::new().calls([("add_note", note)]).text("Noted.")
}

#[tokio::test]
async fn a_call_and_the_answer_are_shown() {
    let output = run(&Memory::default(), &noting(), "Note milk.\n").await;
    let expected = "> \n  add_note{\"text\":\"Buy milk.\"} -> 1\nNoted.\n> ";
    assert_eq!(output, expected);
}

#[tokio::test]
async fn notes_are_thrown_away_only_if_the_person_agrees() {
    let store = Memory::default();
    run(&store, &noting(), "Note milk.\n").await;
    for (answers, result) in [
        ("no", "`clear_notes` was denied: the person said no"),
        ("perhaps\nyes", "clear_notes{} -> 1"),
    ] {
        let model = Scripted::new()
            .calls([("clear_notes", json!({}))])
            .text("All right.");
        let lines = format!("Throw them away.\n{answers}\n");
        let output = run(&store, &model, &lines).await;
        assert!(output.contains("May it call clear_notes{}? yes/no > "));
        let end = format!("> \n  {result}\nAll right.\n> ");
        assert!(output.ends_with(&end), "{output}");
    }
}

#[tokio::test]
async fn after_a_restart_the_conversation_and_its_question_are_there() {
    let store = Memory::default();
    run(&store, &noting(), "Note milk.\n").await;
    let model = Scripted::new().calls([("clear_notes", json!({}))]);
    run(&store, &model, "Throw them away.\n").await;
    let model = Scripted::new().text("They are gone.");
    let output = run(&store, &model, "yes\n").await;
    let question = "May it call clear_notes{}? yes/no > ";
    let rest = "\n  clear_notes{} -> 1\nThey are gone.\n> ";
    assert_eq!(output, format!("{question}{rest}"));
    let requests = model.requests();
    assert_eq!(requests[0].messages[0].text(), "Note milk.");
}

#[test]
fn a_task_is_finished_once() {
    let mut agent = Assistant::new();
    let text = String::from("Call Ann.");
    let number = agent.cmd(AddTask { text }).unwrap().output;
    let finished = agent.cmd(FinishTask { number }).unwrap();
    assert_eq!(finished.output, "Call Ann.");
    let error = agent.cmd(FinishTask { number }).unwrap_err();
    let expected = "there is no open task 1; `list_tasks` returns the open ones";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_turn_that_was_cut_off_continues() {
    let store = Memory::default();
    let output = run(&store, &Scripted::new(), "Hello.\n").await;
    assert!(output.contains("the turn has failed"), "{output}");
    let model = Scripted::new().text("Hello, Ann.");
    let output = run(&store, &model, "\n").await;
    let expected = "The last turn was cut off; Enter continues it.\n> Hello, Ann.\n> ";
    assert_eq!(output, expected);
}
