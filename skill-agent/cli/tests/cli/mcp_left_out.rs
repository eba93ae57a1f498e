//! `skills mcp` of a program without the feature.

use crate::support::Folder;

#[test]
fn a_program_without_the_feature_says_how_to_get_it() {
    let folder = Folder::of(&[]);
    for arguments in [
        &["mcp"][..],
        &["mcp", "skills"],
        &["mcp", "--dialect", "x", "--help"],
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.out), (2, ""));
        for words in [
            "lacks the command `mcp`",
            "cargo install --path skill-agent/cli --features mcp",
        ] {
            assert!(run.err.contains(words), "{}", run.err);
        }
    }
    let help = folder.run(&["--help"]);
    assert!(!help.out.contains("mcp"), "{}", help.out);
}
