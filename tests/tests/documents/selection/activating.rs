//! Activating documents: who is asked, and what stays active.

use skill_agent::manifest::selection::{Activations, SelectionPolicy};
use skill_agent::manifest::{
    ActivateDocumentError, Catalog, ContentHash, Dialect, DocumentReadError, Source,
};
use std::fs;
use std::path::Path;

fn write(folder: &Path, id: &str, body: &str) {
    fs::create_dir_all(folder.join(id)).unwrap();
    fs::write(
        folder.join(id).join("SKILL.md"),
        format!("---\nname: {id}\ndescription: d\n---\n{body}\n"),
    )
    .unwrap();
}

/// The hash that a person is asked to trust.
fn asked(catalog: &Catalog, id: &str, activations: &mut Activations) -> Option<ContentHash> {
    match catalog.activate(id, activations, &SelectionPolicy::TIERS) {
        Ok(_) => None,
        Err(ActivateDocumentError::Read(DocumentReadError::Untrusted { hash, .. })) => Some(hash),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_person_is_asked_once_for_each_content_of_a_discovered_document() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "plan", "One.");
    let source = Source::project(folder.path()).discovered();
    let mut catalog = Catalog::builder(Dialect::TRIGGERED).source(source).load();
    let mut activations = Activations::default();
    let first = asked(&catalog, "plan", &mut activations).unwrap();
    assert!(!activations.is_active("plan"));
    catalog.trust("plan", first).unwrap();
    assert_eq!(asked(&catalog, "plan", &mut activations), None);
    assert_eq!(asked(&catalog, "plan", &mut activations), None); // not again
    assert!(activations.is_active("plan"));

    write(folder.path(), "plan", "Two.");
    catalog.reload();
    let second = asked(&catalog, "plan", &mut activations).unwrap();
    assert_ne!(first, second);
}

#[test]
fn a_refused_activation_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "plan", "One.");
    write(folder.path(), "review", "Two.");
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::project(folder.path()))
        .load();
    let mut activations = Activations::default();
    assert_eq!(
        catalog
            .activate("plan", &mut activations, &SelectionPolicy::INDEX)
            .unwrap()
            .body,
        "One."
    );
    let before = activations.clone();
    let refused = catalog
        .activate("review", &mut activations, &SelectionPolicy::INDEX)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`review` is not activated: `plan` is active, and one is allowed for each request"
    );
    assert_eq!(activations, before);
    let unknown = catalog
        .activate("gone", &mut activations, &SelectionPolicy::INDEX)
        .unwrap_err();
    assert_eq!(unknown.to_string(), "no skill `gone` is offered");
    assert_eq!(activations, before);
    fs::remove_file(folder.path().join("plan/SKILL.md")).unwrap();
    activations.start_turn();
    let before = activations.clone();
    catalog
        .activate("plan", &mut activations, &SelectionPolicy::INDEX)
        .unwrap_err();
    assert_eq!(activations, before);
}

#[test]
fn a_document_that_is_gone_keeps_no_other_from_being_activated() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "plan", "One.");
    write(folder.path(), "review", "Two.");
    let mut catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::project(folder.path()))
        .load();
    let (mut activations, policy) = (Activations::default(), SelectionPolicy::INDEX);
    catalog.activate("plan", &mut activations, &policy).unwrap();
    catalog
        .activate("review", &mut activations, &policy)
        .unwrap_err();
    fs::remove_dir_all(folder.path().join("plan")).unwrap();
    catalog.reload();
    catalog
        .activate("review", &mut activations, &policy)
        .unwrap();
}
