//! Messages about a skill and its document.

#[cfg(not(feature = "manifest"))]
pub(crate) fn manifest_without_feature(of_agent: bool) -> String {
    if of_agent {
        "`manifest` reads a document while compiling, which is the feature `manifest` of `skill-agent`; turn it on: `skill-agent = { features = [\"manifest\"], ... }`".to_owned()
    } else {
        "`manifest` reads a document while compiling, which is the feature `manifest` of `skill-agent-core`; turn it on: `skill-agent-core = { features = [\"manifest\"], ... }`".to_owned()
    }
}

pub(crate) fn dialect_without_manifest() -> String {
    "`dialect` is the format of a document, and this skill has no document; write `manifest = \"skills/name/SKILL.md\"` too".to_owned()
}

/// Returns the message for a value that differs from the document's. `place` begins with ` in ` or `, the folder of `.
#[cfg(feature = "manifest")]
pub(crate) fn contradiction(what: &str, here: &str, there: &str, place: &str) -> String {
    format!(
        "{what} `{here}` differs from `{there}`{place}; write the same in both or remove it here"
    )
}

#[cfg(feature = "manifest")]
pub(crate) fn other_text(what: &str, place: &str) -> String {
    format!("{what} differs from that{place}; write the same in both or remove it here")
}

/// Returns the message for an invalid version in a document. `place` is a line of the document.
#[cfg(feature = "manifest")]
pub(crate) fn version_of_document(version: &str, place: &str) -> String {
    format!(
        "the skill has the version `{version}` of its document, in {place}; remove `version` here or there"
    )
}

pub(crate) fn body_without_description(path: &str, key: &str) -> String {
    format!(
        "the body of `{path}` is the skill's instructions, which need a description; write `{key}` in the document or a doc comment on the struct"
    )
}

#[cfg(feature = "manifest")]
pub(crate) fn document_name(name: &str, place: &str, is_folder: bool) -> String {
    let (whose, remedy) = if is_folder {
        ("the folder of", "rename the folder")
    } else {
        ("the id of", "give the document another")
    };
    format!(
        "`{name}` cannot be the name of a skill, and it is {whose} {place}: a name begins with a lower-case letter and goes on with at most 63 of `a-z`, `0-9`, `_`, `-`; {remedy}"
    )
}
