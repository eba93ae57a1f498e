//! Signals: the terminal is given back, and nothing is lost.

use crate::model::{call, stalled, text, with_model, with_server};
use crate::pty::{Terminal, without_model};
use rustix::process::Signal;
use serde_json::json;

#[timed_test::test]
async fn a_stopped_program_gives_the_terminal_back_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(without_model(folder.path()));
    terminal.wait_for_last(">");
    terminal.type_text("add a=1");
    terminal.wait_for_last("> add a=1");
    assert!(!terminal.is_given_back());
    // by the key, and by another process
    for stop in [true, false] {
        if stop {
            terminal.type_text("\x1a");
        } else {
            terminal.signal(Signal::TSTP);
        }
        terminal.wait_for_stop();
        assert!(terminal.is_given_back(), "by the key: {stop}");
        terminal.signal(Signal::CONT);
        terminal.type_text(" ");
    }
    terminal.type_text(" b=2\r");
    terminal.wait_for("3.0");
}

#[timed_test::test]
async fn a_terminated_program_gives_the_terminal_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(without_model(folder.path()));
    terminal.wait_for_last(">");
    assert!(!terminal.is_given_back());
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait_for_end(), Some(143));
    assert!(terminal.is_given_back());
}

#[timed_test::test(threads = 2)]
async fn ctrl_c_cancels_the_turn_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let responses = [stalled("One moment"), text("Here I am again.")];
    let (program, server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Tell me a story.\r");
    terminal.wait_for("One moment");
    // the second one is for the same turn, and ends nothing else
    terminal.type_text("\x03\x03");
    terminal.wait_for("(cancelled; /resume continues the turn)");
    server.left().await;
    terminal.wait_for_last(">");
    terminal.type_text("Are you there?\r");
    terminal.wait_for("Here I am again.");
}

#[timed_test::test(threads = 2)]
async fn a_killed_program_takes_the_turn_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let note = json!({ "text": "Buy milk." });
    let responses = [
        call("add_note", note),
        stalled("I have"),
        text("I have noted it."),
    ];
    let (program, server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Note milk.\r");
    terminal.wait_for("I have");
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.wait_for_end(), None);

    let mut terminal = Terminal::start(with_server(folder.path(), &server));
    terminal.wait_for("Its last turn was cut off. /resume continues it.");
    terminal.type_text("/resume\r");
    terminal.wait_for("I have noted it.");
    terminal.wait_for_last(">");
    terminal.type_text("list_notes\r");
    terminal.wait_until("one note", |screen| {
        screen.matches("Buy milk.").count() == 1
    });
}
