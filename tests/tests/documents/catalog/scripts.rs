//! The scripts that a document lists exist.

use crate::catalog::support::{Temp, codes, ids};
use skill_agent::manifest::{Catalog, Dialect, Severity, Source};

fn catalog(temp: &Temp, discovered: bool) -> Catalog {
    let source = Source::project(temp.path());
    let source = if discovered {
        source.discovered()
    } else {
        source
    };
    Catalog::builder(Dialect::TRIGGERED).source(source).load()
}

#[test]
fn a_listed_script_that_is_missing_is_a_warning() {
    let temp = Temp::new();
    let scripts = "scripts: [run.py, ./run.py, lib/more.py, gone.py, lib, .hidden.py, 'lib\\more.py', SKILL.md]";
    temp.write(
        "plan/SKILL.md",
        format!("---\nname: plan\ndescription: d\n{scripts}\n---\n# Plan\n"),
    );
    temp.write("plan/run.py", "")
        .write("plan/lib/more.py", "")
        .write("plan/.hidden.py", "");
    let expected = [
        "the script `gone.py` cannot be used: it does not exist",
        "the script `lib` cannot be used: it is not a regular file",
        "the script `.hidden.py` cannot be used: a part of it begins with `.`, and hidden files are not served",
        "the script `lib\\more.py` cannot be used: it has a `\\`; write `/`",
        "the script `SKILL.md` cannot be used: it is the document itself",
    ];
    for discovered in [false, true] {
        let catalog = catalog(&temp, discovered);
        let found: Vec<_> = catalog
            .diagnostics()
            .iter()
            .filter(|found| found.code.as_str() == "missing_script")
            .collect();
        let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        assert_eq!(messages, expected);
        assert!(found.iter().all(|found| {
            let path = found.path.as_deref().unwrap();
            found.severity == Severity::Warning && path.ends_with("plan/SKILL.md")
        }));
    }
    assert_eq!(ids(&catalog(&temp, false)), ["plan"]);
}

#[cfg(unix)]
#[test]
fn a_script_that_is_a_link_cannot_be_used() {
    let temp = Temp::new();
    temp.write(
        "plan/SKILL.md",
        "---\nname: plan\ndescription: d\nscripts: [run.py]\n---\n# Plan\n",
    );
    temp.write("outside.py", "");
    std::os::unix::fs::symlink("../outside.py", temp.at("plan/run.py")).unwrap();
    assert_eq!(codes(&catalog(&temp, false)), ["missing_script"]);
    temp.write("outside.py", "");
}
