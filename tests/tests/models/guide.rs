//! `docs/clients.md` shows whole programs, which `.ci/clients` compiles and runs.

use std::fs;
use std::path::Path;

#[test]
fn the_guide_shows_the_programs_as_they_are() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(tests.join("../docs/clients.md")).unwrap();
    let blocks = guide.split("```rust\n").skip(1);
    let mut blocks = blocks.map(|block| block.split("```").next().unwrap());
    let programs = [
        "lib.rs",
        "bin/http.rs",
        "bin/async_openai.rs",
        "bin/genai.rs",
        "bin/rig.rs",
    ];
    for name in programs {
        let program = fs::read_to_string(tests.join("clients/guides/src").join(name)).unwrap();
        assert_eq!(blocks.next(), Some(&*program), "{name}");
    }
    assert_eq!(blocks.next(), None);
}
