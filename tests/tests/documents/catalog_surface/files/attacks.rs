//! Paths that lead out, files that are none, and files that change while they are read.

use super::{call, load, named, plan, put, read, trusted};
use serde_json::json;
use std::fs;

#[test]
fn a_path_that_leads_out_is_refused() {
    let folder = plan();
    put(&folder, "secret", "key");
    let absolute = folder.path().join("secret").display().to_string();
    for catalog in [named(folder.path()), trusted(folder.path())] {
        for path in [
            "../secret",
            "../plan/notes.md",
            "scripts/../../secret",
            "./notes.md",
            &absolute,
            "/etc/passwd",
            "C:\\secret",
            "..\\secret",
            "notes.md\0",
            "\0",
            "",
            "scripts/",
            "scripts",
            ".env",
            "SKILL.md",
            "notes.md/x",
            "..%2fsecret",
            "&#x2e;&#x2e;/secret",
            "\u{2024}\u{2024}/secret",
        ] {
            let answer = read(&catalog, path);
            assert!(
                answer.starts_with("Error reading '") && !answer.contains("key"),
                "{path:?}: {answer}"
            );
            assert!(!answer.contains(['\0', '\n']), "{answer:?}");
            let machine = folder.path().display().to_string();
            assert!(path == absolute || !answer.contains(&machine), "{answer}");
        }
    }
}

#[test]
fn links_pipes_and_devices_are_refused_at_once() {
    let folder = plan();
    put(&folder, "secret", "key");
    for (target, link) in [
        ("../secret", "plan/link"),
        ("/dev/zero", "plan/zero"),
        ("..", "plan/up"),
    ] {
        std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
    }
    let pipe = folder.path().join("plan/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let socket = std::os::unix::net::UnixListener::bind(folder.path().join("plan/socket"));
    let catalog = named(folder.path());
    for (path, why) in [
        ("link", "it is refused: it is a symbolic link"),
        ("zero", "it is refused: it is a symbolic link"),
        ("up/secret", "it is refused: it is a symbolic link"),
        ("pipe", "it is refused: it is not a regular file"),
        ("socket", "it is refused: it is not a regular file"),
    ] {
        let expected = format!("Error reading '{path}' of skill 'plan': {why}");
        assert_eq!(read(&catalog, path), expected);
    }
    assert!(!load(&catalog, "plan").contains("pipe"));
    drop(socket);
    // a pipe in place of a file that was trusted
    for path in ["link", "zero", "up", "pipe", "socket"] {
        fs::remove_file(folder.path().join("plan").join(path)).unwrap();
    }
    let catalog = trusted(folder.path());
    let notes = folder.path().join("plan/notes.md");
    fs::remove_file(&notes).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&notes).status();
    assert!(made.unwrap().success());
    assert_eq!(
        read(&catalog, "notes.md"),
        "Error reading 'notes.md' of skill 'plan': it has changed since it was loaded"
    );
}

#[test]
fn a_long_file_is_read_in_parts() {
    let folder = plan();
    let text: String = (0..30_000).map(|i| format!("line {i} \u{e9}\n")).collect();
    put(&folder, "plan/long.txt", &text);
    for catalog in [named(folder.path()), trusted(folder.path())] {
        let (mut whole, mut offset, mut parts) = (String::new(), 0, 0);
        loop {
            let arguments = json!({ "skill": "plan", "path": "long.txt", "offset": offset });
            let answer = call(&catalog, arguments);
            assert!(answer.len() <= 64 << 10, "{}", answer.len());
            let (part, note) = answer.rsplit_once("\n\n[").unwrap();
            whole += part;
            parts += 1;
            match note.split_once("call again with `offset` ") {
                Some((_, next)) => offset = next.trim_end_matches(']').parse().unwrap(),
                None => break,
            }
        }
        assert!(whole == text);
        assert_eq!(parts, text.len().div_ceil((64 << 10) - 192));
    }
}

#[test]
fn a_file_that_changes_between_two_parts_is_noticed() {
    let folder = plan();
    put(&folder, "plan/long.txt", "x".repeat(100_000));
    let second = json!({ "skill": "plan", "path": "long.txt", "offset": 65_344 });
    let version = |answer: &str| {
        let (_, after) = answer.rsplit_once("version ").unwrap();
        after.split(';').next().unwrap().to_owned()
    };
    let (named, trusted) = (named(folder.path()), trusted(folder.path()));
    let first = read(&named, "long.txt");
    assert_eq!(version(&first), version(&call(&named, second.clone())));
    assert_eq!(first, read(&trusted, "long.txt"));

    put(&folder, "plan/long.txt", "y".repeat(100_000));
    // where the program named the source, the note has another version
    assert_ne!(version(&first), version(&call(&named, second.clone())));
    // where a person trusted the file, it is refused
    let refused = "Error reading 'long.txt' of skill 'plan': it has changed since it was loaded";
    assert_eq!(call(&trusted, second.clone()), refused);
    put(&folder, "plan/long.txt", "short");
    assert_eq!(
        call(&named, second),
        "Error reading 'long.txt' of skill 'plan': the offset 65344 is beyond its end; it has 5 bytes"
    );
}

#[test]
fn a_file_that_is_no_text_or_too_large_is_refused() {
    let folder = plan();
    put(&folder, "plan/logo.png", b"\x89PNG\r\n\x1a\n");
    put(&folder, "plan/empty.txt", "");
    put(&folder, "plan/e.txt", "a\u{1F525}");
    let huge = fs::File::create(folder.path().join("plan/huge.txt")).unwrap();
    huge.set_len(1 << 40).unwrap();
    let catalog = named(folder.path());
    for (path, offset, expected) in [
        (
            "logo.png",
            0,
            "Error reading 'logo.png' of skill 'plan': it is a binary file of 8 bytes, and only text in UTF-8 can be read",
        ),
        (
            "empty.txt",
            0,
            "The file 'empty.txt' of skill 'plan' is empty.",
        ),
        (
            "empty.txt",
            1,
            "Error reading 'empty.txt' of skill 'plan': the offset 1 is beyond its end; it has 0 bytes",
        ),
        (
            "e.txt",
            3,
            "Error reading 'e.txt' of skill 'plan': the offset 3 is within a character, which begins at 1",
        ),
        (
            "huge.txt",
            0,
            "Error reading 'huge.txt' of skill 'plan': it is refused: it has 1099511627776 bytes; at most 16777216 are allowed",
        ),
    ] {
        let arguments = json!({ "skill": "plan", "path": path, "offset": offset });
        assert_eq!(call(&catalog, arguments), expected);
    }
}
