//! No terminal at all.

use crate::pty::{Terminal, program};
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
        program(folder.path()),
        "add a=1 b=2\nadd_note Buy milk.\nlist_notes\n",
    ));
    assert!(shown.contains("3.0\n1\n[\n  \"Buy milk.\"\n]\n"), "{shown}");
    assert!(!shown.contains('\x1b'), "{shown}");
    let again = stdout(&run(program(folder.path()), "list_notes"));
    assert!(again.contains("\"Buy milk.\""), "{again}");
    let mode = fs::metadata(folder.path().join("data"))
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
async fn a_second_program_says_who_has_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let first = Terminal::start(program(folder.path()));
    first.wait_for_last(">");
    let second = run(program(folder.path()), "");
    assert_eq!(second.status.code(), Some(1));
    let data = folder.path().join("data");
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
