//! Turns: streamed answers, what was selected, conversations.

use crate::model::{call, text, with_model};
use crate::pty::Terminal;
use model_server::Response;
use serde_json::json;

#[timed_test::test(threads = 2)]
async fn a_long_answer_is_in_the_scrollback_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (1..=10_000)
        .map(|number| format!("line {number}"))
        .collect();
    let (program, _server) = with_model(folder.path(), [text(&lines.join("\n"))]).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Count.\r");
    terminal.wait_for("line 10000");
    terminal.wait_for_last(">");
    let shown = terminal.scrollback();
    let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
    let first = shown.iter().position(|line| *line == "line 1").unwrap();
    assert_eq!(shown[first..first + 10_000], lines);
}

#[timed_test::test(threads = 2)]
async fn no_answer_and_no_result_controls_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let responses = [
        call(
            "add_note",
            json!({ "text": "\u{1b}[2J\u{1b}]0;title\u{7}" }),
        ),
        text("日本語\u{1b}[2J\rend"),
    ];
    let (program, _server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Note this.\r");
    // the terminal of the test leaves out the characters in place of the codes
    terminal.wait_for("日本語[2Jend");
    assert!(terminal.contents().contains("The model is small"));
}

#[timed_test::test(threads = 2)]
async fn the_person_sees_why_a_document_was_selected_and_what_it_costs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut program, server) = with_model(folder.path(), [text("Fine.")]).await;
    program.args(["--price", "1000000,2000000"]);
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Write release notes.\r");
    terminal.wait_for("Fine.");
    assert!(terminal.contents().contains("(documents: release-notes)"));
    assert!(
        server.received()[0]
            .text
            .contains("Leave out what no user notices.")
    );
    terminal.type_text("/why\r");
    terminal.wait_for("phrase `release notes`");
    terminal.type_text("/cost\r");
    terminal.wait_for("12 tokens in requests (0 of them cached), 3 in answers; 18.0000");
}

#[timed_test::test(threads = 2)]
async fn conversations_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (program, server) =
        with_model(folder.path(), [text("One."), text("Two."), text("Three.")]).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("First.\r");
    terminal.wait_for("One.");
    terminal.type_text("/new\rSecond.\r");
    terminal.wait_for("Two.");
    terminal.type_text("/open 1\rThird.\r");
    terminal.wait_for("Three.");
    let said = server.received().pop().unwrap().text;
    assert!(
        said.contains("First.") && !said.contains("Second."),
        "{said}"
    );
    terminal.type_text("/conversations\r");
    terminal.wait_for("* 1  First.");
    terminal.wait_for("  2  Second.");
    terminal.type_text("/open 9\r");
    terminal.wait_for("There is no conversation 9; /conversations lists them.");
}

#[timed_test::test(threads = 2)]
async fn a_failed_request_is_shown_and_the_program_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let refused = Response::json(r#"{"error":{"message":"no such model"}}"#).status(404);
    let (program, _server) = with_model(folder.path(), [refused, text("Now.")]).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Hello.\r");
    terminal.wait_for("no such model");
    terminal.wait_for("/resume tries again");
    terminal.type_text("/resume\r");
    terminal.wait_for("Now.");
}
