//! `docs/clients.md` and `docs/web-chat.md` show whole programs, which `.ci/clients` and `.ci/run` compile and run.

use std::fs;
use std::path::Path;

/// A file of the repository.
fn file(path: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(tests.join("..").join(path)).unwrap()
}

/// The blocks of code that begin with a fence.
fn blocks<'a>(guide: &'a str, fence: &str) -> Vec<&'a str> {
    let blocks = guide.split(fence).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_guide_to_clients_shows_the_programs_as_they_are() {
    let guide = file("docs/clients.md");
    let programs = [
        "lib.rs",
        "bin/http.rs",
        "bin/async_openai.rs",
        "bin/genai.rs",
        "bin/rig.rs",
    ];
    let programs = programs.map(|name| file(&format!("tests/clients/guides/src/{name}")));
    assert_eq!(blocks(&guide, "```rust\n"), programs);
}

#[test]
fn the_guide_to_chats_over_the_web_shows_the_files_as_they_are() {
    let guide = file("docs/web-chat.md");
    let files = ["chats.rs", "lib.rs"];
    let files = files.map(|name| file(&format!("examples/web-chat/src/{name}")));
    // `rs`, since rustdoc would compile it as an example of skill-agent, which has no axum
    assert_eq!(blocks(&guide, "```rs\n"), files);
}
