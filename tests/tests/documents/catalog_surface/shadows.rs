//! No document takes the name of a Rust skill, whatever the case or Unicode form of its id.

use crate::catalog_surface::support::{Clerk, folder};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::prelude::*;

agent! {
    pub struct Later {
        name: "later",
        mounted: [crate::catalog_surface::support::Notes],
    }
}

agent! {
    pub struct Renamed {
        name: "renamed",
        skills: [crate::catalog_surface::support::Notes as pad],
    }
}

const DOC: &str = "---\nname: d\ndescription: d\n---\n# D\n";
const SHADOWS: [&str; 5] = ["notes", "Notes", "NOTES", "\u{ff2e}otes", "note\u{17f}"];

fn refused<A: Agent>(id: &str) -> Option<String> {
    let folder = folder(&[(id, DOC), ("other", DOC)]);
    let catalog = Catalog::builder(Dialect::NAMED)
        .source(Source::project(folder.path()))
        .agent::<A>()
        .allow_skills(false)
        .load();
    assert!(catalog.get("other").is_some());
    let reported = catalog.diagnostics();
    assert_eq!(
        catalog.get(id).is_none(),
        !reported.is_empty(),
        "{reported:?}"
    );
    let reported = reported.first()?;
    assert_eq!(reported.code.as_str(), "reserved_id");
    Some(reported.message.clone())
}

#[test]
fn a_document_never_has_the_name_of_a_skill() {
    for id in SHADOWS {
        for reported in [refused::<Clerk>(id), refused::<Later>(id)] {
            let reported = reported.unwrap_or_else(|| panic!("{id} shadows a skill"));
            assert!(reported.contains("Notes`"), "{reported}");
        }
    }
    let form = refused::<Clerk>("\u{ff2e}otes").unwrap();
    assert!(
        form.ends_with(", except for its Unicode form: `notes`"),
        "{form}"
    );
    let case = refused::<Clerk>("Notes").unwrap();
    assert!(case.ends_with(", except for case: `notes`"), "{case}");
}

#[test]
fn a_different_name_is_free() {
    for id in ["note", "notes-2", "n\u{f6}tes"] {
        assert_eq!(refused::<Clerk>(id), None, "{id}");
    }
    // the skill has another name in this agent
    assert_eq!(refused::<Renamed>("notes"), None);
    assert!(refused::<Renamed>("Pad").is_some());
}
