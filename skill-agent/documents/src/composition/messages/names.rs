//! Messages about duplicate and reserved ids and commands.

use super::{CheckFinding, cut};
use crate::composition::doc_text::str;
use crate::composition::lookup::Lookup;
use skill_core::__private::{ConstMessage, same};
use skill_manifest::{DiagnosticCode, SkillDoc};

pub(super) const fn duplicate_id(
    lookup: &Lookup<'_>,
    duplicate_of: usize,
    index: usize,
) -> CheckFinding {
    let (one, two) = (lookup.input.docs[duplicate_of], lookup.input.docs[index]);
    let (first, second) = (cut(str(&one.doc.id)), cut(str(&two.doc.id)));
    let code = DiagnosticCode::DuplicateId;
    if same(str(&one.doc.id), str(&two.doc.id)) {
        return CheckFinding::new(
            code,
            "two documents have the id `{}`: `{}` and `{}`",
            &[second, one.location, two.location],
            "remove one of them",
        );
    }
    CheckFinding::new(
        code,
        "the ids of two documents differ in case only: `{}` of `{}` and `{}` of `{}`",
        &[first, one.location, second, two.location],
        "rename one of them",
    )
}

pub(super) const fn reserved_id(lookup: &Lookup<'_>, index: usize) -> CheckFinding {
    let candidate = &lookup.input.docs[index];
    let id = str(&candidate.doc.id);
    let (name, ty, is_joined) = match lookup.shadowed(candidate) {
        Some(skill) => (
            skill.name,
            skill.type_path,
            skill.__is_joined() && skill.alias_of.is_none(),
        ),
        None => (id, id, false),
    };
    let differs = match () {
        () if same(id, name) => "",
        () if id.eq_ignore_ascii_case(name) => ", except for case: `{}`",
        () => ", except for its Unicode form: `{}`",
    };
    let what = ConstMessage::new()
        .fill(
            "the document `{}` has the name of the skill `{}`",
            &[cut(id), ty],
        )
        .fill(differs, &[name]);
    CheckFinding {
        code: DiagnosticCode::ReservedId,
        what: if differs.is_empty() && is_joined {
            what.push(&[", which is generated from another document"])
        } else {
            what
        },
        help: ConstMessage::new().push(&["rename the document"]),
    }
}

pub(super) const fn built_in_command(doc: &SkillDoc) -> CheckFinding {
    CheckFinding::new(
        DiagnosticCode::CommandAliasCollision,
        "the document `{}` has the command `/{}`, which the program reserves",
        &[cut(str(&doc.id)), command(doc)],
        "choose another `command`",
    )
}

pub(super) const fn shared_command(
    lookup: &Lookup<'_>,
    same_command: usize,
    index: usize,
) -> CheckFinding {
    let (one, two) = (lookup.input.docs[same_command], lookup.input.docs[index]);
    let (first, second) = (cut(str(&one.doc.id)), cut(str(&two.doc.id)));
    CheckFinding::new(
        DiagnosticCode::CommandAliasCollision,
        "two documents have the command `/{}`: `{}` of `{}` and `{}` of `{}`",
        &[command(two.doc), first, one.location, second, two.location],
        "give one of them another `command`",
    )
}

const fn command(doc: &SkillDoc) -> &str {
    match &doc.command {
        Some(command) => cut(str(command)),
        None => "",
    }
}
