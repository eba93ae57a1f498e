//! Documents that agents of other crates list.

use skill_manifest::__private::Embedded;
use skill_manifest::{DocText, SkillDoc};

/// A document about greeting.
pub static GREETING: SkillDoc = Embedded {
    id: "greeting",
    name: "greeting",
    description: "Greet a guest.",
    command: Some("greet"),
    ..Embedded::EMPTY
}
.doc();

/// A document about farewells. Requires `greeting`.
pub const FAREWELL: SkillDoc = Embedded {
    id: "farewell",
    name: "farewell",
    description: "See a guest off.",
    version: Some("1.2.0"),
    requires: &[DocText::Borrowed("greeting")],
    ..Embedded::EMPTY
}
.doc();

/// A list of two documents.
pub static DAY: &[SkillDoc] = &[
    Embedded {
        id: "morning",
        ..Embedded::EMPTY
    }
    .doc(),
    Embedded {
        id: "evening",
        ..Embedded::EMPTY
    }
    .doc(),
];
