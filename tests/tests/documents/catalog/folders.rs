//! The contents of a folder: no item in it affects the others.

use crate::catalog::support::{Temp, codes, ids, project, reported};
use skill_agent::manifest::{Catalog, DiagnosticCode, Dialect, Enforcement, Severity, Source};

const FLAT: Dialect = Dialect::AGENT_SKILLS;
const DEEP: Dialect = Dialect::AGENT_SKILLS_LENIENT;

#[test]
fn a_folder_without_a_document_is_reported_but_loose_files_are_not() {
    let temp = Temp::new();
    temp.standard("good")
        .standard("bare/inside")
        .write("README.md", "")
        .write(".git/HEAD", "");
    temp.write("node_modules/x", "");
    let catalog = project(&temp, FLAT).load();
    assert_eq!(ids(&catalog), ["good"]);
    assert_eq!(
        reported(&catalog, temp.path()),
        [("missing_skill_md", "bare".to_owned())]
    );
    assert_eq!(catalog.diagnostics()[0].severity, Severity::Warning);
}

#[test]
fn the_folder_of_a_document_is_no_source() {
    let temp = Temp::new();
    temp.standard("skills/review")
        .standard("skills/review/inside");
    for dialect in [FLAT, DEEP, Dialect::LILY] {
        let source = Source::project(temp.at("skills/review"));
        let catalog = Catalog::builder(dialect).source(source).load();
        assert_eq!(ids(&catalog), ["inside"], "what is below it is read");
        let [why] = catalog.diagnostics() else {
            panic!("{:?}", catalog.diagnostics());
        };
        let (path, above) = (temp.at("skills/review/SKILL.md"), temp.at("skills"));
        assert_eq!(why.code, DiagnosticCode::SourceIsDocument);
        assert_eq!(why.path.as_deref(), path.to_str());
        assert_eq!(
            why.message,
            "the `SKILL.md` in the folder of the source `project` is not read: a source is the folder above those of its documents"
        );
        let help = format!(
            "name `{}` instead, or move the document into a folder of its own",
            above.display()
        );
        assert_eq!(why.help.as_deref(), Some(&*help));
    }
}

#[test]
fn the_search_is_as_deep_as_the_dialect_says_and_stops_at_a_document() {
    let temp = Temp::new();
    temp.standard("a")
        .standard("a/below")
        .standard("x/b")
        .standard("x/y/c")
        .standard("x/y/z/d");
    temp.standard("x/y/z/w/e")
        .standard("x/.hidden/f")
        .standard("x/node_modules/g");
    assert_eq!(ids(&project(&temp, FLAT).load()), ["a"]);
    assert_eq!(ids(&project(&temp, FLAT.with_depth(2)).load()), ["a", "b"]);
    let deep = project(&temp, DEEP.with_missing(Enforcement::Warn)).load();
    assert_eq!(ids(&deep), ["a", "b", "c", "d"]);
    assert!(codes(&deep).is_empty());
    std::fs::create_dir_all(temp.at("empty/er")).unwrap();
    let deep = project(&temp, DEEP.with_missing(Enforcement::Warn)).load();
    assert_eq!(
        reported(&deep, temp.path()),
        [("missing_skill_md", "empty".to_owned())]
    );
}

#[test]
fn the_dialect_decides_whether_file_names_are_case_sensitive() {
    let temp = Temp::new();
    let text = |name| format!("---\nname: {name}\ndescription: d\n---\n");
    temp.write("upper/SKILL.md", text("upper"));
    temp.write("lower/skill.md", text("lower"));
    temp.write("mixed/Skill.md", text("mixed"));
    temp.write("both/SKILL.md", text("both"))
        .write("both/skill.md", "no document");
    if std::fs::read_dir(temp.at("both")).unwrap().count() < 2 {
        println!("skipped: this file system does not know case");
        return;
    }
    assert_eq!(
        ids(&project(&temp, FLAT).load()),
        ["both", "lower", "upper"]
    );
    assert_eq!(
        ids(&project(&temp, DEEP).load()),
        ["both", "lower", "mixed", "upper"]
    );
    assert_eq!(
        ids(&project(&temp, Dialect::NAMED).load()),
        ["both", "upper"]
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::fs::Permissions;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    fn with_links() -> Temp {
        let temp = Temp::new();
        temp.standard("root/real")
            .standard("root/group/deep")
            .standard("outside");
        for (target, link) in [
            ("real", "twice"),
            ("../outside", "out"),
            ("/", "top"),
            (".", "self"),
            ("..", "up"),
            ("loop", "loop"),
            ("nowhere", "broken"),
            ("group/deep", "near"),
        ] {
            symlink(target, temp.at("root").join(link)).unwrap();
        }
        temp
    }

    #[test]
    fn a_link_is_refused() {
        let temp = with_links();
        let catalog = Catalog::builder(FLAT)
            .source(Source::project(temp.at("root")))
            .load();
        assert_eq!(ids(&catalog), ["real"]);
        let refused = reported(&catalog, &temp.at("root"));
        let refused: Vec<_> = refused
            .iter()
            .filter(|diagnostic| diagnostic.0 == "link_refused")
            .collect();
        assert_eq!(refused.len(), 8, "{refused:?}");
    }

    #[test]
    fn a_link_is_followed_once_and_only_within_the_folder() {
        let temp = with_links();
        let catalog = Catalog::builder(DEEP)
            .source(Source::project(temp.at("root")))
            .load();
        assert_eq!(ids(&catalog), ["deep", "real"]);
        let refused: Vec<_> = reported(&catalog, &temp.at("root"));
        let refused: Vec<_> = refused
            .iter()
            .map(|diagnostic| (diagnostic.0, &*diagnostic.1))
            .collect();
        let link = |path| ("link_refused", path);
        assert_eq!(refused, ["broken", "loop", "out", "top", "up"].map(link));
    }

    #[test]
    fn a_source_that_the_program_names_follows_links_on_request() {
        let temp = with_links();
        temp.write("outside/scripts/run.sh", "echo\n");
        temp.standard("elsewhere/named");
        symlink("../elsewhere", temp.at("root/other")).unwrap();
        symlink("../outside/SKILL.md", temp.at("root/file")).unwrap();
        symlink("../..", temp.at("elsewhere/back")).unwrap();
        for (dialect, expected) in [
            (FLAT, &["deep", "outside", "real"][..]),
            (DEEP, &["deep", "named", "outside", "real"]),
        ] {
            let source = Source::project(temp.at("root")).follow_links();
            let catalog = Catalog::builder(dialect).source(source).load();
            assert_eq!(ids(&catalog), expected, "{:?}", catalog.diagnostics());
            assert_eq!(catalog.read("outside").unwrap().body, "# outside");
            assert_eq!(catalog.resources("outside").unwrap(), ["scripts/run.sh"]);
            assert_eq!(
                catalog.resource("outside", "scripts/run.sh").unwrap(),
                b"echo\n"
            );
            let refused = reported(&catalog, &temp.at("root"));
            let refused = refused.iter().filter(|found| found.0 == "link_refused");
            let mut refused: Vec<_> = refused.map(|found| &*found.1).collect();
            refused.sort_unstable();
            // to nothing, to a file, in a loop, and to folders around the source
            let mut expected = vec!["broken", "file", "loop", "top", "up"];
            let back = temp.path().canonicalize().unwrap().join("elsewhere/back");
            if dialect == DEEP {
                expected.push(back.to_str().unwrap().trim_start_matches('/'));
                expected.sort_unstable();
            }
            assert_eq!(refused, expected);
        }
    }

    #[test]
    fn a_discovered_source_follows_no_link_and_the_help_names_the_option() {
        let temp = with_links();
        let source = Source::project(temp.at("root")).follow_links().discovered();
        let catalog = Catalog::builder(FLAT).source(source).load();
        let listed: Vec<_> = catalog.listed().map(|entry| entry.id.to_string()).collect();
        assert_eq!(listed, ["real"]);
        let help = |catalog: &Catalog| {
            let mut refused = catalog.diagnostics().iter();
            let refused = refused.find(|found| found.code.as_str() == "link_refused");
            refused.unwrap().help.clone().unwrap()
        };
        assert_eq!(help(&catalog), "replace it with its target");
        let named = Catalog::builder(FLAT)
            .source(Source::project(temp.at("root")))
            .load();
        assert!(help(&named).contains("`Source::follow_links`"));
    }

    #[test]
    fn a_document_that_is_a_link_a_pipe_or_a_socket_is_not_opened() {
        let temp = Temp::new();
        temp.standard("good").standard("other");
        for folder in ["link", "pipe", "socket", "folder/SKILL.md"] {
            std::fs::create_dir_all(temp.at(folder)).unwrap();
        }
        symlink(temp.at("good/SKILL.md"), temp.at("link/SKILL.md")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(temp.at("pipe/SKILL.md"))
            .status();
        let _socket = UnixListener::bind(temp.at("socket/SKILL.md")).unwrap();
        let catalog = project(&temp, FLAT).load();
        assert_eq!(ids(&catalog), ["good", "other"]);
        let mut expected = vec![
            ("unreadable", "folder/SKILL.md".to_owned()),
            ("link_refused", "link/SKILL.md".to_owned()),
        ];
        if made.is_ok_and(|status| status.success()) {
            expected.push(("unreadable", "pipe/SKILL.md".to_owned()))
        } else {
            println!("skipped in part: there is no `mkfifo`");
            expected.push(("missing_skill_md", "pipe".to_owned()));
        }
        expected.push(("unreadable", "socket/SKILL.md".to_owned()));
        assert_eq!(reported(&catalog, temp.path()), expected);
    }

    #[test]
    fn a_name_that_is_not_utf8_or_not_one_line_is_reported() {
        let temp = Temp::new();
        temp.standard("good");
        let odd = [&b"\xff\xfe"[..], b"a\nb", b"a\\b"];
        for name in odd {
            let folder = temp.path().join(OsStr::from_bytes(name));
            if std::fs::create_dir(&folder).is_err() {
                println!("skipped: this file system has no such names");
                return;
            }
            std::fs::write(folder.join("SKILL.md"), "# It\n").unwrap();
        }
        let catalog = project(&temp, Dialect::LILY).load();
        assert_eq!(ids(&catalog), ["good"]);
        assert_eq!(codes(&catalog), ["invalid_name"; 3]);
        assert!(
            catalog
                .diagnostics()
                .iter()
                .all(|diagnostic| !diagnostic.message.contains('\n'))
        );
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_reported() {
        let temp = Temp::new();
        temp.standard("good").standard("closed").standard("file");
        std::fs::set_permissions(temp.at("closed"), Permissions::from_mode(0o000)).unwrap();
        std::fs::set_permissions(temp.at("file/SKILL.md"), Permissions::from_mode(0o000)).unwrap();
        let root = std::fs::read_dir(temp.at("closed")).is_ok();
        let catalog = project(&temp, FLAT).load();
        std::fs::set_permissions(temp.at("closed"), Permissions::from_mode(0o700)).unwrap();
        if root {
            println!("skipped: permissions do not bind this user");
            return;
        }
        assert_eq!(ids(&catalog), ["good"]);
        let unreadable = |path: &str| ("unreadable", path.to_owned());
        assert_eq!(
            reported(&catalog, temp.path()),
            [unreadable("closed"), unreadable("file/SKILL.md")]
        );
    }
}
