//! Messages about ids and commands that are taken.

use super::{Told, cut};
use crate::manifest::compose::look::Look;
use crate::manifest::compose::names::str;
use skill_core::__private::same;
use skill_manifest::{DiagnosticCode, SkillDoc};

pub(super) const fn duplicate_id(look: &Look<'_>, twin: usize, index: usize) -> Told {
    let (one, two) = (look.scene.docs[twin], look.scene.docs[index]);
    let (first, second) = (cut(str(&one.doc.id)), cut(str(&two.doc.id)));
    let code = DiagnosticCode::DuplicateId;
    if same(str(&one.doc.id), str(&two.doc.id)) {
        let what = [
            "two documents have the id `",
            second,
            "`: `",
            one.place,
            "` and `",
            two.place,
            "`",
        ];
        Told::new(code, &what, &["take one of them out"])
    } else {
        let what = [
            "the ids of two documents differ in case only: `",
            first,
            "` of `",
            one.place,
            "` and `",
            second,
            "` of `",
            two.place,
            "`",
        ];
        Told::new(code, &what, &["rename one of them"])
    }
}

pub(super) const fn reserved_id(look: &Look<'_>, index: usize) -> Told {
    let candidate = &look.scene.docs[index];
    let id = str(&candidate.doc.id);
    let (name, ty, is_joined) = match look.shadowed(candidate) {
        Some(skill) => (
            skill.name,
            skill.type_path,
            skill.__is_joined() && skill.alias_of.is_none(),
        ),
        None => (id, id, false),
    };
    let (differs, shown) = match () {
        () if same(id, name) => ("", ""),
        () if id.eq_ignore_ascii_case(name) => (", but for case: `", name),
        () => (", but for its Unicode form: `", name),
    };
    let (end, other) = match (shown.is_empty(), is_joined) {
        (true, true) => ("", ", which is made of another document"),
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
    Told::new(DiagnosticCode::ReservedId, &what, &["rename the document"])
}

pub(super) const fn built_in_command(doc: &SkillDoc) -> Told {
    let (id, command) = (cut(str(&doc.id)), command(doc));
    let what = [
        "the document `",
        id,
        "` has the command `/",
        command,
        "`, which the program keeps for itself",
    ];
    Told::new(
        DiagnosticCode::CommandAliasCollision,
        &what,
        &["take another `command`"],
    )
}

pub(super) const fn shared_command(look: &Look<'_>, rival: usize, index: usize) -> Told {
    let (one, two) = (look.scene.docs[rival], look.scene.docs[index]);
    let what = [
        "two documents have the command `/",
        command(two.doc),
        "`: `",
        cut(str(&one.doc.id)),
        "` of `",
        one.place,
        "` and `",
        cut(str(&two.doc.id)),
        "` of `",
        two.place,
        "`",
    ];
    let help = ["give one of them another `command`"];
    Told::new(DiagnosticCode::CommandAliasCollision, &what, &help)
}

const fn command(doc: &SkillDoc) -> &str {
    match &doc.command {
        Some(command) => cut(str(command)),
        None => "",
    }
}
