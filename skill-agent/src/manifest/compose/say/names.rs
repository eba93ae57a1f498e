//! Of ids and commands that are taken.

use super::{Told, cut};
use crate::manifest::compose::look::Look;
use crate::manifest::compose::names::str;
use skill_core::__private::same;
use skill_manifest::{Code, SkillDoc};

pub(super) const fn duplicate_id(look: &Look<'_>, twin: usize, index: usize) -> Told {
    let (one, two) = (look.scene.docs[twin], look.scene.docs[index]);
    let (first, second) = (cut(str(&one.doc.id)), cut(str(&two.doc.id)));
    let code = Code::DuplicateId;
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

pub(super) const fn reserved_id(look: &Look<'_>, doc: &SkillDoc) -> Told {
    let id = cut(str(&doc.id));
    let ty = match look.named(str(&doc.id)) {
        Some(skill) => skill.type_path,
        None => id,
    };
    let what = [
        "the document `",
        id,
        "` has the name of the skill `",
        ty,
        "`",
    ];
    Told::new(Code::ReservedId, &what, &["rename the document"])
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
        Code::CommandAliasCollision,
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
    Told::new(Code::CommandAliasCollision, &what, &help)
}

const fn command(doc: &SkillDoc) -> &str {
    match &doc.command {
        Some(command) => cut(str(command)),
        None => "",
    }
}
