//! No terminal at all.

use crate::model::text;
use crate::pty::{Terminal, program, without_model};
use model_server::{Response, Server};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

/// Runs the program with this input.
fn run(mut program: Command, input: &str) -> Output {
    program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[timed_test::test]
async fn a_pipe_gets_answers_without_codes_of_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let shown = stdout(&run(
        without_model(folder.path()),
        "add a=1 b=2\nadd_note Buy milk.\nlist_notes\n",
    ));
    assert!(shown.contains("3.0\n1\n[\n  \"Buy milk.\"\n]\n"), "{shown}");
    assert!(!shown.contains('\x1b'), "{shown}");
    let again = stdout(&run(without_model(folder.path()), "list_notes"));
    assert!(again.contains("\"Buy milk.\""), "{again}");
    let mode = fs::metadata(folder.path().join("skill-assistant"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[timed_test::test]
async fn the_demo_asks_in_earnest() {
    let folder = tempfile::tempdir().unwrap();
    let demo = |arguments: &[&str], input| {
        let mut program = program(folder.path());
        program.arg("--demo").args(arguments);
        stdout(&run(program, input))
    };
    let approved = demo(&["--yes"], "");
    assert!(
        approved.contains("write_file{\"path\":\"todo.md\""),
        "{approved}"
    );
    assert!(approved.contains("Your list is empty."), "{approved}");
    let mixed = demo(&[], "maybe\nyes\nno\n");
    assert!(mixed.contains("The list is in todo.md."), "{mixed}");
    assert!(
        mixed.contains("`remove_todo` was denied: the person said no"),
        "{mixed}"
    );
    let unanswered = demo(&[], "");
    assert!(
        unanswered.contains("`write_file` was denied: the person gave no answer"),
        "{unanswered}"
    );
    assert!(!folder.path().join("todo.md").exists());
}

#[timed_test::test]
async fn a_wrong_choice_of_a_model_is_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("agents/clerk");
    fs::create_dir_all(&agent).unwrap();
    let head = "---\nname: Clerk\nprovider: opnai\nmodel: gpt-5\n---\nYou are a clerk.\n";
    fs::write(agent.join("AGENT.md"), head).unwrap();
    for (arguments, expected) in [
        (
            &["--provider", "openai"][..],
            "`openai` cannot be used: the environment variable `OPENAI_API_KEY` is not set",
        ),
        (
            &["--provider", "opnai", "--model", "x"],
            "there is no provider `opnai`",
        ),
        (
            &["--provider", "openai-compatible"],
            "the environment variable `OPENAI_BASE_URL` is not set",
        ),
        (
            &["--url", "http://127.0.0.1:1/v1"],
            "the server at http://127.0.0.1:1/v1 does not list its models",
        ),
        (
            &["--url", "localhost:8080/v1", "--model", "x"],
            "write `http://localhost:8080/v1`",
        ),
        (&["--documents", "missing"], "missing"),
        (&["--demo", "--data", "d"], "cannot be used with"),
        (
            &["--agent", "clark"],
            "the only agent is `clerk`; did you mean `clerk`?",
        ),
        (
            &["--agent", "clerk"],
            "agents/clerk/AGENT.md:3:11: error[unknown_provider]: there is no provider `opnai`",
        ),
        (
            &["--files", "missing"],
            "`missing` cannot be used: No such file or directory",
        ),
        (
            &["--price", "3"],
            "write two prices of a million tokens, such as `3,15`",
        ),
        (&["--yes"], "--demo"),
    ] {
        let mut program = program(folder.path());
        program.args(arguments);
        let output = run(program, "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && error.contains(expected),
            "{arguments:?}: {error}"
        );
    }
}

#[timed_test::test(threads = 2)]
async fn an_agent_of_a_file_has_its_model_and_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("agents/clerk");
    fs::create_dir_all(&agent).unwrap();
    let head =
        "---\nname: Clerk\nprovider: openai-compatible\nmodel: tiny\n---\nYou are a clerk.\n";
    fs::write(agent.join("AGENT.md"), head).unwrap();
    let server = Server::start([text("Yes?")]).await;
    let mut program = program(folder.path());
    program
        .args(["--agent", "clerk"])
        .env("OPENAI_BASE_URL", &server.url);
    let shown = stdout(&run(
        program,
        "Write release notes.\n/skill release-notes\n",
    ));
    assert!(
        shown.contains("The model is that of the agent `clerk`.") && shown.contains("Yes?"),
        "{shown}"
    );
    assert!(
        shown.contains("The agent does not allow documents"),
        "{shown}"
    );
    let request = server.body();
    assert_eq!(
        (&request["model"], server.received().len()),
        (&"tiny".into(), 1)
    );
    assert!(
        request["messages"][0]["content"]
            .as_str()
            .unwrap()
            .starts_with("You are a clerk.")
    );
    // the file does not allow documents
    assert!(!request.to_string().contains("release-notes"));
}

#[timed_test::test(threads = 2)]
async fn a_server_in_the_environment_says_which_model_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let models = Response::json(r#"{"data":[{"id":"tiny"},{"id":"large"}]}"#);
    let server = Server::start([models, text("Yes?")]).await;
    let mut program = program(folder.path());
    program.env("OPENAI_BASE_URL", format!("{}/v1", server.url));
    let shown = stdout(&run(program, "Hello.\n"));
    assert!(shown.contains("The model is tiny at 127.0.0.1:"), "{shown}");
    assert!(shown.contains("Yes?"), "{shown}");
    let [listed, asked] = &server.received()[..] else {
        panic!("{:?}", server.received());
    };
    assert_eq!(listed.line, "GET /v1/models HTTP/1.1");
    assert_eq!(asked.body["model"], "tiny");
}

#[timed_test::test]
async fn a_second_program_says_who_has_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let first = Terminal::start(without_model(folder.path()));
    first.wait_for_last(">");
    let second = run(without_model(folder.path()), "");
    assert_eq!(second.status.code(), Some(1));
    let data = folder.path().join("skill-assistant");
    let process = fs::read_to_string(data.join("process")).unwrap();
    assert_eq!(
        String::from_utf8(second.stderr).unwrap(),
        format!(
            "skill-assistant: another skill-assistant (process {process}) has `{}` open; end it, or choose another folder with \
             `--data DIR`\n",
            data.display()
        )
    );
}
