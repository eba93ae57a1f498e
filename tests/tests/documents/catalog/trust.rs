//! Documents of discovered folders are listed, and offered once a person trusts them.

use crate::catalog::support::{Temp, codes, ids};
use skill_agent::manifest::{
    Catalog, CatalogBuilder, ContentHash, Dialect, DocumentReadError, Source, TrustError,
};

fn found(temp: &Temp) -> CatalogBuilder {
    Catalog::builder(Dialect::LILY)
        .source(Source::user(temp.at("user")))
        .source(Source::project(temp.at("project")).discovered())
}

fn two() -> Temp {
    let temp = Temp::new();
    temp.write("user/plan/SKILL.md", "---\ncommand: plan\n---\n# User's\n");
    temp.write(
        "project/plan/SKILL.md",
        "---\ncommand: plan\n---\n# Project's\n",
    );
    temp.write(
        "project/other/SKILL.md",
        "---\ncommand: skills\n---\n# Other\n",
    );
    temp
}

#[test]
fn an_untrusted_document_is_listed_and_hides_and_claims_nothing() {
    let temp = two();
    let catalog = found(&temp).load();
    assert_eq!(ids(&catalog), ["plan"]);
    assert_eq!(catalog.read("plan").unwrap().body, "# User's");
    let listed: Vec<_> = catalog
        .listed()
        .map(|entry| (&*entry.id, &*entry.source, entry.trusted))
        .collect();
    assert_eq!(
        listed,
        [
            ("other", "project", false),
            ("plan", "user", true),
            ("plan", "project", false)
        ]
    );
    // neither a precedence conflict nor a taken command
    assert_eq!(codes(&catalog), ["untrusted"; 2]);
    let error = catalog.read("other").unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Untrusted { .. }),
        "{error}"
    );
    assert!(catalog.get("other").is_none());
    assert!(catalog.resources("other").is_err() && catalog.resource("other", "a").is_err());
}

#[test]
fn trust_covers_what_a_person_has_seen_and_ends_when_it_changes() {
    let temp = two();
    let mut catalog = found(&temp).load();
    let hash = |catalog: &Catalog| {
        let mut listed = catalog
            .listed()
            .filter(|entry| entry.id == "plan" && entry.source == "project");
        listed.next().unwrap().hash
    };
    let seen = hash(&catalog);
    assert_eq!(
        catalog.trust("gone", seen),
        Err(TrustError::Unknown {
            id: "gone".to_owned()
        })
    );
    let other = ContentHash::of(b"another");
    let error = catalog.trust("plan", other).unwrap_err();
    assert!(matches!(&error, TrustError::OtherContent { found, .. } if found.contains(&seen)));
    assert_eq!(catalog.read("plan").unwrap().body, "# User's");

    catalog.trust("plan", seen).unwrap();
    assert_eq!(catalog.read("plan").unwrap().body, "# Project's");
    assert!(codes(&catalog).contains(&"precedence_conflict"));
    assert_eq!(catalog.generation(), 1);
    assert!(catalog.reload().is_empty());
    // a program that remembers the decision
    let again = found(&temp)
        .trust("plan", seen.to_string().parse::<ContentHash>().unwrap())
        .load();
    assert_eq!(again.read("plan").unwrap().body, "# Project's");

    temp.write("project/plan/SKILL.md", "# Not what was seen\n");
    assert!(matches!(
        catalog.read("plan"),
        Err(DocumentReadError::Changed { .. })
    ));
    assert_eq!(catalog.reload().changed, ["plan"]);
    assert_eq!(catalog.read("plan").unwrap().body, "# User's");
    // the former contents are still trusted
    temp.write(
        "project/plan/SKILL.md",
        "---\ncommand: plan\n---\n# Project's\n",
    );
    catalog.reload();
    assert_eq!(catalog.read("plan").unwrap().body, "# Project's");
}

#[test]
fn a_document_that_changed_after_the_review_is_not_trusted() {
    let temp = two();
    let mut catalog = found(&temp).load();
    let seen = catalog
        .listed()
        .find(|entry| entry.source == "project" && entry.id == "plan")
        .unwrap()
        .hash;
    temp.write("project/plan/SKILL.md", "# Another\n");
    let error = catalog.trust("plan", seen).unwrap_err();
    assert!(matches!(error, TrustError::OtherContent { .. }), "{error}");
    assert_eq!(catalog.read("plan").unwrap().body, "# User's");
    // and not later either
    temp.write(
        "project/plan/SKILL.md",
        "---\ncommand: plan\n---\n# Project's\n",
    );
    catalog.reload();
    assert_eq!(catalog.read("plan").unwrap().body, "# User's");
}

#[test]
fn a_trusted_document_is_checked_like_any_other() {
    let temp = two();
    let mut catalog = found(&temp).load();
    let other = catalog
        .listed()
        .find(|entry| entry.id == "other")
        .unwrap()
        .hash;
    catalog.trust("other", other).unwrap();
    assert_eq!(ids(&catalog), ["plan"]);
    assert!(codes(&catalog).contains(&"command_alias_collision"));
}

#[test]
fn a_person_can_read_before_trusting() {
    let temp = two();
    temp.write("project/other/run.py", "print()");
    let catalog = found(&temp).load();
    for entry in catalog.listed() {
        let body = catalog.read_listed(entry).unwrap().body;
        let expected = match (&*entry.id, &*entry.source) {
            ("other", _) => "# Other",
            (_, "user") => "# User's",
            _ => "# Project's",
        };
        assert_eq!(body, expected);
    }
    let other = catalog.listed().find(|entry| entry.id == "other").unwrap();
    assert_eq!(catalog.resources_listed(other).unwrap(), ["run.py"]);
    assert_eq!(
        catalog.resource_listed(other, "run.py").unwrap(),
        b"print()"
    );
    // reading does not trust
    assert_eq!(ids(&catalog), ["plan"]);
    assert!(matches!(
        catalog.read("other"),
        Err(DocumentReadError::Untrusted { .. })
    ));
}

#[test]
fn the_hash_is_that_of_what_was_shown() {
    let temp = two();
    let mut catalog = found(&temp).load();
    let seen = catalog
        .listed()
        .find(|entry| entry.id == "other")
        .cloned()
        .unwrap();
    temp.write("project/other/SKILL.md", "# Another\n");
    let error = catalog.read_listed(&seen).unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Changed { .. }),
        "{error}"
    );
    // an entry of an earlier load
    catalog.reload();
    let error = catalog.read_listed(&seen).unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Changed { .. }),
        "{error}"
    );
    assert!(catalog.resources_listed(&seen).is_err());
    assert!(catalog.resource_listed(&seen, "a").is_err());
    // an entry of another catalog, with more sources than this one
    let alone = Catalog::builder(Dialect::LILY)
        .source(Source::user(temp.at("user")))
        .load();
    let error = alone.read_listed(&seen).unwrap_err();
    assert!(
        matches!(error, DocumentReadError::NotListed { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("`other`"));
}

#[test]
fn a_refused_trust_changes_nothing() {
    // two documents with the same hash: the first has changed in the meantime
    let temp = Temp::new();
    temp.write("one/plan/SKILL.md", "# Plan\n");
    temp.write("two/plan/SKILL.md", "# Plan\n");
    let mut catalog = Catalog::builder(Dialect::LILY)
        .source(Source::named("one", temp.at("one")).discovered())
        .source(Source::named("two", temp.at("two")).discovered())
        .load();
    let seen = catalog.listed().next().unwrap().hash;
    temp.write("one/plan/SKILL.md", "# Another\n");
    // the other one is unchanged
    catalog.trust("plan", seen).unwrap();
    assert_eq!(&*catalog.get("plan").unwrap().source, "two");
    assert_eq!(catalog.generation(), 1);
    // already trusted, so nothing is read
    temp.write("two/plan/SKILL.md", "# Another\n");
    catalog.trust("plan", seen).unwrap();
    assert_eq!(
        (ids(&catalog), catalog.generation()),
        (vec!["plan".to_owned()], 1)
    );
    catalog.reload();
    assert_eq!((ids(&catalog).len(), catalog.generation()), (0, 2));

    // deleted or broken: there is nothing to trust
    let another = catalog.listed().next().unwrap().hash;
    temp.write("one/plan/SKILL.md", "---\n");
    std::fs::remove_dir_all(temp.at("two/plan")).unwrap();
    let unknown = TrustError::Unknown {
        id: "plan".to_owned(),
    };
    assert_eq!(catalog.trust("plan", another), Err(unknown));
    assert_eq!((catalog.listed().count(), catalog.generation()), (0, 2));
    temp.write("one/plan/SKILL.md", "# Another\n");
    catalog.reload();
    assert_eq!(ids(&catalog).len(), 0);
}

#[test]
fn trusting_a_named_source_does_not_trust_a_discovered_one() {
    let temp = Temp::new();
    temp.write("user/plan/SKILL.md", "# Plan\n");
    temp.write("project/plan/SKILL.md", "# Another\n");
    let mut catalog = found(&temp).load();
    let named = catalog.get("plan").unwrap().hash;
    catalog.trust("plan", named).unwrap();
    temp.write("project/plan/SKILL.md", "# Plan\n");
    catalog.reload();
    assert_eq!(&*catalog.get("plan").unwrap().source, "user");
    assert_eq!(catalog.listed().filter(|entry| entry.trusted).count(), 1);
    // now both have the same contents, and the discovered one is still untrusted
    catalog.trust("plan", named).unwrap();
    assert_eq!(&*catalog.get("plan").unwrap().source, "project");
}
