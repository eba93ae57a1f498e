//! Approvals: the person sees what would change, and decides.

use crate::model::{call, text, with_model, with_server};
use crate::pty::Terminal;
use model_server::{Response, Server};
use rustix::process::Signal;
use serde_json::json;
use std::fs;

#[timed_test::test(threads = 2)]
async fn a_file_is_written_after_the_person_has_seen_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.md");
    fs::write(&file, "Build a boat.\nSail.\n").unwrap();
    let plan = json!({ "path": "plan.md", "text": "Build a house.\nSail.\n" });
    let responses = [
        call("write_file", plan.clone()),
        text("I left it."),
        call("write_file", plan),
        text("Done, as you said."),
    ];
    let (program, server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    for (answer, shown, expected) in [
        ("no", "I left it.", "Build a boat.\nSail.\n"),
        ("yes", "Done, as you said.", "Build a house.\nSail.\n"),
    ] {
        // on a clear screen, so that the difference of the first round is gone
        terminal.type_text("\x0cNo boat, a house.\r");
        terminal.wait_for_last("Allow write_file? [yes/no]");
        let screen = terminal.contents();
        assert!(
            screen.contains("  - Build a boat.\n  + Build a house.\n    Sail."),
            "{screen}"
        );
        // it is asked again until the answer is clear
        terminal.type_text(&format!("hm\r{answer}\r"));
        terminal.wait_for(shown);
        terminal.wait_for_last(">");
        assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    }
    let result = server.body()["messages"]
        .as_array()
        .unwrap()
        .last()
        .cloned();
    assert_eq!(result.unwrap()["content"], "null");
}

#[timed_test::test(threads = 2)]
async fn a_difference_of_the_state_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let responses = [call("clear_notes", json!({})), text("They are gone.")];
    let (program, _server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("add_note Buy milk.\radd_note Call Ann.\rThrow them away.\r");
    terminal.wait_for_last("Allow clear_notes? [yes/no]");
    let screen = terminal.contents();
    let removed = "  -     \"Buy milk.\",\n  -     \"Call Ann.\"\n";
    assert!(screen.contains(removed), "{screen}");
    terminal.type_text("y\r");
    terminal.wait_for("They are gone.");
}

#[timed_test::test(threads = 2)]
async fn a_request_is_shown_with_its_method_and_url() {
    let folder = tempfile::tempdir().unwrap();
    let site = Server::start([Response::of("text/plain", "Sunny.")]).await;
    let fetch = |url: String| call("fetch", json!({ "url": url }));
    let page = format!("{}/weather", site.url);
    let responses = [
        fetch(page.clone()),
        text("It is sunny."),
        fetch("http://[::ffff:127.0.0.1]/".into()),
        text("I may not."),
    ];
    let (mut program, server) = with_model(folder.path(), responses).await;
    program.args(["--allow", site.url.strip_prefix("http://").unwrap()]);
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("How is the weather?\r");
    terminal.wait_for_last("Allow fetch? [yes/no]");
    assert!(terminal.contents().contains(&format!("  GET {page}\n")));
    assert_eq!(site.connections(), 0);
    terminal.type_text("yes\r");
    terminal.wait_for("It is sunny.");
    assert!(server.body().to_string().contains("Sunny."));
    terminal.wait_for_last(">");
    terminal.type_text("And at home?\r");
    terminal.wait_for_last("Allow fetch? [yes/no]");
    terminal.type_text("yes\r");
    terminal.wait_for("which contains 127.0.0.1, a loopback address");
    terminal.wait_for("I may not.");
}

#[timed_test::test(threads = 2)]
async fn a_question_survives_the_end_of_the_program() {
    let site = Server::start([Response::of("text/plain", "Sunny.")]).await;
    let allowed = site.url.strip_prefix("http://").unwrap();
    let file = json!({ "path": "a.txt", "text": "a" });
    let page = json!({ "url": site.url });
    // an agent with a store, and one without
    for (tool, arguments) in [("write_file", file), ("fetch", page)] {
        let folder = tempfile::tempdir().unwrap();
        let responses = [call(tool, arguments), text("That is done.")];
        let (mut program, server) = with_model(folder.path(), responses).await;
        let question = format!("Allow {tool}? [yes/no]");
        let mut terminal = Terminal::start({
            program.args(["--allow", allowed]);
            program
        });
        terminal.wait_for_last(">");
        terminal.type_text("Go on.\r");
        terminal.wait_for_last(&question);
        terminal.signal(Signal::KILL);
        terminal.wait_for_end();

        let mut program = with_server(folder.path(), &server);
        program.args(["--allow", allowed]);
        let mut terminal = Terminal::start(program);
        terminal.wait_for_last(&question);
        terminal.type_text("yes\r");
        terminal.wait_for("That is done.");
        let result = server.body()["messages"]
            .as_array()
            .unwrap()
            .last()
            .cloned();
        let result = result.unwrap()["content"].to_string();
        assert!(
            result == "\"null\"" || result.contains("Sunny."),
            "{result}"
        );
    }
}

#[timed_test::test(threads = 2)]
async fn a_file_that_changes_before_the_answer_is_shown_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    let arguments = json!({ "path": "a.txt", "text": "new\n" });
    let responses = [call("write_file", arguments), text("Written.")];
    let (program, _server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Write a file.\r");
    terminal.wait_for_last("Allow write_file? [yes/no]");
    fs::write(&file, "mine\n").unwrap();
    terminal.type_text("yes\r");
    terminal.wait_for("The file has changed meanwhile.");
    terminal.wait_for("  - mine\n  + new");
    terminal.wait_for_last("Allow write_file? [yes/no]");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
    // the end of the input leaves the call to the next run
    terminal.type_text("\x04");
    assert_eq!(terminal.wait_for_end(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
}
