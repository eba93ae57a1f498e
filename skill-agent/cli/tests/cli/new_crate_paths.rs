//! The dependencies of a new crate on a checkout.

use crate::support::{Folder, checkout};
use std::fs;
use std::path::Path;

#[test]
fn a_path_that_is_no_checkout_is_refused() {
    let folder = Folder::of(&[("half/skill-core/Cargo.toml", "")]);
    let inner = checkout().join("skill-agent");
    let inner = inner.to_str().unwrap();
    for (path, why, help) in [
        ("nowhere", "there is no such folder", ""),
        ("half/skill-core/Cargo.toml", "it is not a folder", ""),
        ("half", "it has no `skill-agent/Cargo.toml`", ""),
        (
            inner,
            "it has no `skill-core/Cargo.toml`",
            " |\n = help: name the folder above it\n",
        ),
    ] {
        let run = folder.run(&["new", "--crate", "weather", "--path", path]);
        let expected = format!("error: `{path}` is not a checkout of skill-agent: {why}\n{help}");
        assert_eq!((run.code, &*run.out, run.err), (2, "", expected));
    }
    assert!(!folder.path().join("weather").exists());
}

/// The paths of the dependencies in the manifest of a crate, as TOML reads them.
fn dependency_paths(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap();
    let paths = text
        .lines()
        .filter_map(|line| Some(line.split_once("path = ")?.1));
    paths
        .map(|rest| {
            // a basic string of these characters is a JSON string too
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            values.next().unwrap().unwrap()
        })
        .collect()
}

#[test]
fn a_relative_path_is_relative_to_the_crate_and_an_absolute_one_stays() {
    let place = "a \"b\" $c/chèck out";
    let place = if cfg!(windows) {
        "a b/chèck out"
    } else {
        place
    };
    let folder = Folder::of(&[
        (&format!("{place}/skill-core/Cargo.toml"), ""),
        (&format!("{place}/skill-agent/Cargo.toml"), ""),
    ]);
    let run = folder.run(&["new", "--crate", "one", "deep/er", "--path", place]);
    assert_eq!(
        (run.code, &*run.out),
        (0, "cd deep/er/one\ncargo test\n"),
        "{}",
        run.err
    );
    let paths = dependency_paths(&folder.path().join("deep/er/one/Cargo.toml"));
    let up = "../../..";
    assert_eq!(
        paths,
        [
            format!("{up}/{place}/skill-core"),
            format!("{up}/{place}/skill-agent")
        ]
    );

    let absolute = folder.path().join(place);
    let run = folder.run(&[
        "new",
        "--crate",
        "two",
        "it's here",
        "--path",
        absolute.to_str().unwrap(),
    ]);
    assert_eq!(
        (run.code, &*run.out),
        (0, "cd 'it'\\''s here/two'\ncargo test\n"),
        "{}",
        run.err
    );
    let paths = dependency_paths(&folder.path().join("it's here/two/Cargo.toml"));
    assert_eq!(Path::new(&paths[0]), absolute.join("skill-core"));
    assert_eq!(Path::new(&paths[1]), absolute.join("skill-agent"));
}

#[cfg(unix)]
#[test]
fn a_backslash_in_a_path_is_escaped() {
    let folder = Folder::of(&[
        ("c:\\x/skill-core/Cargo.toml", ""),
        ("c:\\x/skill-agent/Cargo.toml", ""),
    ]);
    let run = folder.run(&["new", "--crate", "one", "--path", "c:\\x"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        dependency_paths(&folder.path().join("one/Cargo.toml"))[0],
        "../c:\\x/skill-core"
    );
}

#[test]
fn below_a_workspace_the_crate_has_a_workspace_of_its_own() {
    let folder = Folder::of(&[("Cargo.toml", "[workspace]\nmembers = []\n")]);
    let run = folder.run(&["new", "--crate", "weather"]);
    assert_eq!(run.code, 0);
    assert!(
        run.err
            .contains("is a workspace, and the crate is not a member of it\n"),
        "{}",
        run.err
    );
    let manifest = fs::read_to_string(folder.path().join("weather/Cargo.toml")).unwrap();
    assert!(
        manifest.ends_with("\n\n# not a member of the workspace above it\n[workspace]\n"),
        "{manifest}"
    );
}
