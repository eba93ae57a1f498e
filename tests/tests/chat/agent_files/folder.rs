//! Folders of agents: what is read, what is not, and what is said about it.

use super::*;
use skill_agent::manifest::{AgentDocError, AgentFolderError, DiagnosticCode};

fn plain(name: &str) -> String {
    format!("---\nname: {name}\n---\nYou help.\n")
}

/// Returns the error for an agent of a folder.
fn wrong(folder: &Path, id: &str) -> String {
    let agents = AgentDocs::load(folder).unwrap();
    shown(folder, agents.get(id).unwrap_err())
}

/// Returns the codes of the diagnostics of a folder.
fn codes(agents: &AgentDocs) -> Vec<DiagnosticCode> {
    agents.diagnostics().map(|why| why.code).collect()
}

#[test]
fn a_wrong_file_prevents_only_its_own_agent() {
    let bad =
        "---\nname: 5\nprovider: openai\nmodel: 4\nallow_skills: maybe\ntemperature: 1\n---\n";
    let folder = folder(&[("general", GENERAL), ("bad", bad), ("plain", &plain("P"))]);
    let agents = AgentDocs::load(folder.path()).unwrap();
    let ids: Vec<_> = agents.iter().map(|doc| &*doc.id).collect();
    assert_eq!(ids, ["general", "plain"]);
    let general = agents.get("general").unwrap();
    assert_eq!(
        (general.provider.as_deref(), general.allow_skills),
        (Some("openai"), true)
    );

    let error = agents.get("bad").unwrap_err();
    assert!(matches!(&error, AgentDocError::Wrong { diagnostics, .. } if diagnostics.len() == 4));
    assert_eq!(
        shown(folder.path(), error),
        "the agent `bad` cannot be used
agents/bad/AGENT.md:2:7: error[wrong_type]: `name` must be a string, not a number; put it in quotes
agents/bad/AGENT.md:4:8: error[wrong_type]: `model` must be a string, not a number; put it in quotes
agents/bad/AGENT.md:5:15: error[wrong_type]: `allow_skills` must be `true` or `false`, not a string; write `allow_skills: true` or `allow_skills: false`
agents/bad/AGENT.md:6:1: error[unknown_field]: `temperature` is not a key of AGENT.md; the keys are `name`, `provider`, `model`, `allow_skills`"
    );
    assert_eq!(codes(&agents).len(), 4);
}

#[test]
fn an_unknown_agent_is_an_error_with_the_known_ones() {
    let folder = folder(&[("general", GENERAL)]);
    assert_eq!(
        wrong(folder.path(), "genral"),
        "there is no agent `genral` in `agents`; the only agent is `general`; did you mean `general`?"
    );
    std::fs::create_dir(folder.path().join("coder")).unwrap();
    std::fs::write(folder.path().join("coder/AGENT.md"), plain("C")).unwrap();
    assert_eq!(
        wrong(folder.path(), "x"),
        "there is no agent `x` in `agents`; the agents are `coder`, `general`"
    );
    // an id is the name of a folder, not the `name` in its file
    assert_eq!(
        wrong(folder.path(), "General Assistant"),
        "there is no agent `General Assistant` in `agents`; the agents are `coder`, `general`; did you mean `general`?"
    );
}

#[test]
fn many_agents_are_not_all_in_a_message() {
    let folder = tempfile::tempdir().unwrap();
    for number in 10..33 {
        let agent = folder.path().join(format!("a{number}"));
        std::fs::create_dir(&agent).unwrap();
        std::fs::write(agent.join("AGENT.md"), plain("A")).unwrap();
    }
    let message = wrong(folder.path(), "x");
    assert!(message.ends_with("`a28`, `a29` and 3 more"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_read_is_an_error_that_names_it() {
    let folder = folder(&[("general", GENERAL)]);
    let of = |path: &str| AgentDocs::load(folder.path().join(path)).unwrap_err();
    let missing = of("gone");
    assert!(matches!(missing, AgentFolderError::Unreadable { .. }));
    assert_eq!(
        shown(folder.path(), missing),
        "the folder of agents `agents/gone` cannot be read: it does not exist"
    );
    assert_eq!(
        shown(folder.path(), of("general/AGENT.md")),
        "the folder of agents `agents/general/AGENT.md` cannot be read: it is not a folder"
    );
    assert_eq!(
        shown(folder.path(), of("general")),
        "`agents/general` is the folder of one agent; load the folder above it, `agents`"
    );
}

#[test]
fn what_is_no_agent_is_reported_under_its_name() {
    let folder = folder(&[("general", GENERAL)]);
    let path = folder.path();
    std::fs::create_dir_all(path.join("empty")).unwrap();
    std::fs::create_dir_all(path.join(".hidden")).unwrap();
    std::fs::write(path.join(".hidden/AGENT.md"), GENERAL).unwrap();
    std::fs::write(path.join("reviewer.md"), GENERAL).unwrap();
    std::fs::write(path.join("README.md"), "# Agents\n").unwrap();
    std::fs::write(path.join("AGENT.md"), GENERAL).unwrap();
    let agents = AgentDocs::load(path).unwrap();
    assert_eq!(agents.iter().count(), 1);
    assert_eq!(
        codes(&agents),
        [
            DiagnosticCode::MisplacedDocument,
            DiagnosticCode::MissingSkillMd,
            DiagnosticCode::MisplacedDocument
        ]
    );
    assert_eq!(
        wrong(path, "reviewer"),
        "the agent `reviewer` cannot be used
agents/reviewer.md: warning[misplaced_document]: `reviewer.md` is not read: an agent is `reviewer/AGENT.md`"
    );
    assert_eq!(
        wrong(path, "empty"),
        "the agent `empty` cannot be used
agents/empty: warning[missing_skill_md]: the folder has no `AGENT.md`"
    );
    assert!(wrong(path, ".hidden").starts_with("there is no agent `.hidden`"));
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_and_no_large_file_is_read() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret", GENERAL)]);
    let folder = folder(&[("large", &"-".repeat((1 << 20) + 1)), ("linked", "")]);
    let path = folder.path();
    std::fs::remove_file(path.join("linked/AGENT.md")).unwrap();
    symlink(
        outside.path().join("secret/AGENT.md"),
        path.join("linked/AGENT.md"),
    )
    .unwrap();
    symlink(outside.path().join("secret"), path.join("secret")).unwrap();
    let agents = AgentDocs::load(path).unwrap();
    assert_eq!(agents.iter().count(), 0);
    assert_eq!(
        wrong(path, "secret"),
        "the agent `secret` cannot be used
agents/secret: error[link_refused]: it cannot be read: it is a symbolic link"
    );
    assert_eq!(
        wrong(path, "linked"),
        "the agent `linked` cannot be used
agents/linked/AGENT.md: error[link_refused]: it cannot be read: it is a symbolic link"
    );
    assert_eq!(
        wrong(path, "large"),
        "the agent `large` cannot be used
agents/large/AGENT.md: error[too_large]: it cannot be read: it has 1048577 bytes; at most 1048576 are allowed"
    );
    assert_eq!(
        wrong(path, "x"),
        "there is no agent `x` in `agents`; no agent in it can be used"
    );
}

#[cfg(unix)]
#[test]
fn agents_that_look_alike_cannot_be_used() {
    let plain = plain("P");
    let folder = folder(&[
        ("Coder", &plain),
        ("coder", &plain),
        ("pl\u{3164}an", &plain),
    ]);
    let agents = AgentDocs::load(folder.path()).unwrap();
    assert_eq!(agents.iter().count(), 0);
    assert_eq!(
        wrong(folder.path(), "coder"),
        "the agent `coder` cannot be used
agents/coder/AGENT.md: error[duplicate_id]: `coder` is also the id `Coder` of agents/Coder/AGENT.md, and neither can be used; \
         rename one; ids that differ only in case or Unicode form are the same"
    );
    let hidden = wrong(folder.path(), "pl\u{3164}an");
    assert!(hidden.contains("error[hidden_character]"), "{hidden}");
    assert!(!hidden.contains('\u{3164}'), "{hidden}");
}

#[test]
fn the_folder_of_one_agent_is_an_error_even_with_folders_in_it() {
    let folder = folder(&[("general", GENERAL)]);
    let general = folder.path().join("general");
    std::fs::create_dir(general.join("references")).unwrap();
    let error = AgentDocs::load(&general).unwrap_err();
    assert!(matches!(error, AgentFolderError::IsAgent { .. }), "{error}");
}
