//! The program `served_agent`, run in processes of its own, which can be killed.

use crate::programs::served_agent;
use serde_json::{Value, json};
use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

/// Where a process of this file finds the arguments of the program, as JSON.
const ARGUMENTS: &str = "SERVED_AGENT_ARGUMENTS";

/// A number of bytes.
const MORE_THAN_A_PIPE_HOLDS: usize = 300_000;

/// The program itself when another test has started this file to be it; its wrong uses otherwise.
#[test]
fn the_program() {
    let Ok(arguments) = env::var(ARGUMENTS) else {
        let wrong = served_agent::run([OsString::from("--stor")]).unwrap_err();
        assert_eq!(wrong.exit_code(), 2);
        assert!(wrong.to_string().contains("--stor"), "{wrong}");
        return;
    };
    let arguments: Vec<String> = serde_json::from_str(&arguments).unwrap();
    let code = match served_agent::run(arguments.into_iter().map(OsString::from)) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("served_agent: {failure}");
            failure.exit_code()
        }
    };
    std::process::exit(code.into());
}

/// A process of the program.
struct Program {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<Box<dyn Read>>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        // two threads, for otherwise the harness writes the name of the test into the first line
        let harness = ["served_agent::the_program", "--exact", "--nocapture", "-q"];
        let mut process = Command::new(env::current_exe().unwrap())
            .args(harness)
            .arg("--test-threads=2")
            .env(ARGUMENTS, json!(arguments).to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: process.stdin.take(),
            output: BufReader::new(Box::new(process.stdout.take().unwrap())),
            process,
        }
    }

    fn on(store: &Path) -> Self {
        Self::start(&["--store", store.to_str().unwrap()])
    }

    fn send(&mut self, line: impl ToString) {
        let mut line = line.to_string();
        line.push('\n');
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
    }

    /// Returns the next line that is JSON. The other lines are output of the test harness.
    fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        while self.output.read_line(&mut line).unwrap() > 0 {
            if line.starts_with('{') {
                return Some(serde_json::from_str(&line).unwrap());
            }
            line.clear();
        }
        None
    }

    fn ask(&mut self, line: impl ToString) -> Value {
        self.send(line);
        self.line().unwrap()
    }

    /// Ends the input. Returns the remaining lines, the text of standard error and the exit status.
    fn end(mut self) -> (Vec<Value>, String, ExitStatus) {
        self.input = None;
        let lines = std::iter::from_fn(|| self.line()).collect();
        let mut stderr = String::new();
        let mut errors = self.process.stderr.take().unwrap();
        errors.read_to_string(&mut stderr).unwrap();
        (lines, stderr, self.process.wait().unwrap())
    }

    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Its process does not outlive a test that fails.
impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn data_of(emitted: &Value) -> &Value {
    &emitted["data"]
}

#[test]
fn each_line_is_answered_with_its_id_and_the_end_of_the_input_stops_it() {
    let mut program = Program::start(&[]);
    for (line, answer) in [
        (
            r#"{"type":"calculate","data":{"op":"add","a":1,"b":2},"id":"1"}"#,
            json!({ "answer": 3.0, "id": "1" }),
        ),
        (
            r#"{"specversion":"1.0","type":"increment","id":"2"}"#,
            json!({ "answer": null, "id": "2" }),
        ),
        (
            r#"{"type":"get_count"}"#,
            json!({ "answer": { "count": 1 }, "id": null }),
        ),
    ] {
        assert_eq!(program.ask(line), answer);
    }
    let (rest, _, status) = program.end();
    assert_eq!((rest.len(), status.code()), (0, Some(0)));
}

#[test]
fn an_error_is_the_response_to_its_line_and_the_program_continues() {
    let mut program = Program::start(&[]);
    for (line, error, id) in [
        (
            r#"{"type":"nobody","id":"a"}"#,
            "signals of the type `nobody` have no handler",
            json!("a"),
        ),
        (
            r#"{"type":"calculate","data":{"op":"divide","a":1,"b":0},"id":"b"}"#,
            "division by zero",
            json!("b"),
        ),
        (r#"{"type":oops}"#, "line 3, column 9: ", Value::Null),
        ("\n[]", "line 5, column 1: ", Value::Null), // a blank line has no answer
        (
            r#"{"type":"a","type":"b"}"#,
            "line 6, column 18: duplicate field `type`",
            Value::Null,
        ),
    ] {
        let answer = program.ask(line);
        let text = answer["error"].as_str().unwrap();
        assert!(text.contains(error), "{text}");
        assert_eq!(answer["id"], id);
    }
    let long = format!(r#"{{"type":"{}"}}"#, "a".repeat(1 << 20));
    let error = program.ask(long)["error"].to_string();
    assert!(error.contains("line 7: it has more than"), "{error}");
    assert_eq!(
        program.ask(r#"{"type":"increment"}"#)["answer"],
        json!(null)
    );
    assert_eq!(program.end().2.code(), Some(0));
}

#[test]
fn each_emitted_signal_is_written_on_its_own_line() {
    let mut program = Program::start(&[]);
    let get = r#"{"type":"http_client.get","data":{"url":"https://a.example"},"id":"1"}"#;
    assert_eq!(program.ask(get), json!({ "answer": 1, "id": "1" }));
    let emitted = program.line().unwrap();
    let parts = ["specversion", "type", "source"].map(|name| &emitted[name]);
    assert_eq!(parts, ["1.0", "http_client.requested", "/desk/desk"]);
    assert_eq!(data_of(&emitted), &json!({ "url": "https://a.example" }));
    assert!(emitted["id"].is_string() && emitted["time"].is_string());

    // what one agent emits is a line that another one reads
    let error = program.ask(&emitted)["error"].to_string();
    assert!(error.contains("have no handler"), "{error}");
    program.send(r#"{"type":"get_count","replyto":"/somebody"}"#);
    let (rest, _, _) = program.end();
    let reply = rest.iter().find(|line| line["to"] == "/somebody").unwrap();
    assert_eq!(data_of(reply), &json!({ "count": 0 }));
}

#[test]
fn after_a_kill_responses_are_kept_and_unwritten_signals_are_published_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("desk.redb");
    let url = "u".repeat(MORE_THAN_A_PIPE_HOLDS);
    let get =
        json!({ "type": "http_client.get", "data": { "url": url }, "id": "1", "source": "/test" });

    let mut program = Program::on(&store);
    program.ask(r#"{"type":"increment"}"#);
    assert_eq!(program.ask(&get), json!({ "answer": 1, "id": "1" }));
    // its signal is on the way, and the pipe is too narrow for it
    let mut begun = [0; 100];
    program.output.read_exact(&mut begun).unwrap();
    program.kill();

    let mut program = Program::on(&store);
    let again = program.line().unwrap();
    assert_eq!(data_of(&again)["url"], json!(url));
    let begun = String::from_utf8_lossy(&begun);
    let id = again["id"].as_str().unwrap();
    assert!(begun.contains(&format!(r#""id":"{id}""#)), "{id}: {begun}");

    // it was handled, and is not handled again
    assert_eq!(program.ask(&get), json!({ "answer": 1, "id": "1" }));
    let count = program.ask(r#"{"type":"get_count"}"#);
    assert_eq!(count["answer"], json!({ "count": 1 }));
    let (rest, stderr, status) = program.end();
    assert_eq!((rest, status.code()), (vec![], Some(0)), "{stderr}");

    // it was written, and does not come a third time
    let mut program = Program::on(&store);
    let next = r#"{"type":"http_client.get","data":{"url":"b"}}"#;
    assert_eq!(program.ask(next)["answer"], json!(2));
}

#[test]
fn a_closed_output_ends_the_program_and_keeps_the_signals() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("desk.redb");
    let mut program = Program::on(&store);
    program.ask(r#"{"type":"increment"}"#);
    program.output = BufReader::new(Box::new(std::io::empty()));
    program.send(r#"{"type":"http_client.get","data":{"url":"a"}}"#);
    assert_eq!(program.process.wait().unwrap().code(), Some(1));
    let (_, stderr, _) = program.end();
    assert!(stderr.contains("cannot write"), "{stderr}");

    let mut program = Program::on(&store);
    assert_eq!(data_of(&program.line().unwrap()), &json!({ "url": "a" }));
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_it_cleanly_while_the_input_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("desk.redb");
    let mut program = Program::on(&store);
    program.ask(r#"{"type":"increment"}"#);
    let id = program.process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(program.line(), None);
    assert_eq!(program.process.wait().unwrap().code(), Some(0));

    let mut program = Program::on(&store);
    let count = program.ask(r#"{"type":"get_count"}"#);
    assert_eq!(count["answer"], json!({ "count": 1 }));
}

#[test]
fn the_child_continues_ticking_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("desk.redb");
    let arguments = ["--tick", "1ms", "--store", store.to_str().unwrap()];
    let mut program = Program::start(&arguments);
    let mut before = Vec::new();
    for ticks in 1..=3 {
        let tick = program.line().unwrap();
        assert_eq!(tick["type"], "ticker.ticked");
        assert_eq!(data_of(&tick), &json!({ "ticks": ticks }));
        before.push(tick);
    }
    program.kill();
    let mut program = Program::start(&arguments);
    let count = |tick: &Value| data_of(tick)["ticks"].as_u64().unwrap();
    let mut ticks = std::iter::from_fn(|| program.line());
    // a line that was written just before the end may come twice, as it was
    let next = ticks.find(|tick| count(tick) > 3 || !before.contains(tick));
    assert!(count(&next.unwrap()) > 3);
}

#[test]
fn a_failed_start_reports_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("desk.redb");
    let file = store.to_str().unwrap();
    let mut first = Program::on(&store);
    first.ask(r#"{"type":"increment"}"#); // it has the file
    for (arguments, reason) in [
        (&["--store", file][..], "desk.redb"),
        (&["--store"], "`--store` needs a file"),
        (&["--tick", "1s", "--tick", "1s"], "`--tick` is given twice"),
        (&["--tick", "0s"], "`0s` is not a period"),
        (&["--tick", "soon"], "`soon` is not a period"),
        (&["--stores"], "unexpected argument `--stores`"),
    ] {
        let (lines, stderr, status) = Program::start(arguments).end();
        assert_eq!((lines.len(), status.code()), (0, Some(2)), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
    }
    let mut help = Program::start(&["--help"]);
    let mut text = String::new();
    help.output.read_to_string(&mut text).unwrap();
    assert!(
        text.contains("--store FILE") && text.contains("--tick PERIOD"),
        "{text}"
    );
    assert_eq!(help.end().2.code(), Some(0));
}
