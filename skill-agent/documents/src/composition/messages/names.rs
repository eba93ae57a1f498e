//! Messages about duplicate and reserved ids and commands.

use super::{CheckFinding, cut};
use crate::composition::doc_text::str;
use crate::composition::lookup::Lookup;
use skill_core::__private::same;
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
        let what = [
            "two documents have the id `",
            second,
            "`: `",
            one.location,
            "` and `",
            two.location,
            "`",
        ];
        CheckFinding::new(code, &what, &["remove one of them"])
    } else {
        let what = [
            "the ids of two documents differ in case only: `",
            first,
            "` of `",
            one.location,
            "` and `",
            second,
            "` of `",
            two.location,
            "`",
        ];
        CheckFinding::new(code, &what, &["rename one of them"])
    }
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
    let (differs, shown) = match () {
        () if same(id, name) => ("", ""),
        () if id.eq_ignore_ascii_case(name) => (", except for case: `", name),
        () => (", except for its Unicode form: `", name),
    };
    let (end, other) = match (shown.is_empty(), is_joined) {
        (true, true) => ("", ", which is generated from another document"),
        (true, false) => ("", ""),
        (false, _) => ("`", ""),
    };
    let what = [
        "the document `",
        cut(id),
        "` has the name of the skill `",
        ty,
        "`",
        differs,
        shown,
        end,
        other,
    ];
    CheckFinding::new(DiagnosticCode::ReservedId, &what, &["rename the document"])
}

pub(super) const fn built_in_command(doc: &SkillDoc) -> CheckFinding {
    let (id, command) = (cut(str(&doc.id)), command(doc));
    let what = [
        "the document `",
        id,
        "` has the command `/",
        command,
        "`, which the program reserves",
    ];
    CheckFinding::new(
        DiagnosticCode::CommandAliasCollision,
        &what,
        &["choose another `command`"],
    )
}

pub(super) const fn shared_command(
    lookup: &Lookup<'_>,
    same_command: usize,
    index: usize,
) -> CheckFinding {
    let (one, two) = (lookup.input.docs[same_command], lookup.input.docs[index]);
    let what = [
        "two documents have the command `/",
        command(two.doc),
        "`: `",
        cut(str(&one.doc.id)),
        "` of `",
        one.location,
        "` and `",
        cut(str(&two.doc.id)),
        "` of `",
        two.location,
        "`",
    ];
    let help = ["give one of them another `command`"];
    CheckFinding::new(DiagnosticCode::CommandAliasCollision, &what, &help)
}

const fn command(doc: &SkillDoc) -> &str {
    match &doc.command {
        Some(command) => cut(str(command)),
        None => "",
    }
}
