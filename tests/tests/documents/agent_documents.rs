//! The documents that an agent lists.

use crate::common::aliased_calculators::*;
use fixture_handbook::{FAREWELL, GREETING};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{DocText, InvocationMode, SkillDoc};
use skill_agent::prelude::*;

/// Fits the tools, the skill and the other documents in every possible way.
const PLAN: SkillDoc = Embedded {
    id: "plan",
    command: Some("plan"),
    requires_tools: &[DocText::Borrowed("calc_add"), DocText::Borrowed("record")],
    toolsets: &[DocText::Borrowed("toolsets/index:Calculator")],
    requires: &[
        DocText::Borrowed("stats"),
        DocText::Borrowed("calculator"),
        DocText::Borrowed("calc"),
        DocText::Borrowed("farewell@^1.1"),
    ],
    // names unknown to the agent are allowed here
    allowed_tools: Some(&[DocText::Borrowed("Bash(git:*)")]),
    ..Embedded::EMPTY
}
.doc();

static SUM: SkillDoc = Embedded {
    id: "sum",
    invocation_mode: InvocationMode::ToolDispatch,
    command_tool: Some("calc_add"),
    ..Embedded::EMPTY
}
.doc();

static PAIR: [SkillDoc; 2] = [
    Embedded {
        id: "one",
        ..Embedded::EMPTY
    }
    .doc(),
    Embedded {
        id: "two",
        ..Embedded::EMPTY
    }
    .doc(),
];

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [Calculator as calc, Stats],
        documents: [
            PLAN,
            #[cfg(any())]
            MISSING,
            self::SUM,
            ..fixture_handbook::DAY,
            #[cfg(not(all()))]
            GREETING,
            #[cfg(all())]
            fixture_handbook::GREETING,
            FAREWELL,
            ..PAIR,
        ],
        allow_skills: true,
    }
}

agent! {
    pub struct Plain {
        name: "plain",
    }
}

agent! {
    pub struct Careful {
        name: "careful",
        documents: [],
        allow_skills: false,
    }
}

mod library {
    skill_core::agent! {
        pub struct Pure {
            name: "pure",
        }
    }
}

macro_rules! written {
    ($name:ident, $doc:path, $folder:path, $allow:literal) => {
        agent! {
            pub struct $name {
                name: "written",
                documents: [$doc, ..$folder],
                allow_skills: $allow,
            }
        }
    };
}

written!(Written, GREETING, crate::agent_documents::PAIR, true);

fn ids<A: Agent>() -> Vec<&'static str> {
    A::documents().map(|doc| &*doc.id).collect()
}

#[test]
fn an_agent_has_its_documents_in_the_order_of_the_list() {
    let expected = [
        "plan", "sum", "morning", "evening", "greeting", "farewell", "one", "two",
    ];
    assert_eq!(ids::<Clerk>(), expected);
    assert!(Clerk::allow_skills());
}

#[test]
fn an_agent_without_a_list_has_no_documents() {
    assert!(ids::<Plain>().is_empty() && !Plain::allow_skills());
    assert!(ids::<Careful>().is_empty() && !Careful::allow_skills());
    assert!(ids::<library::Pure>().is_empty() && !library::Pure::allow_skills());
}

#[test]
fn another_macro_may_generate_the_list() {
    assert_eq!(ids::<Written>(), ["greeting", "one", "two"]);
    assert!(Written::allow_skills());
}

#[test]
fn a_listed_document_is_not_copied() {
    let sum = Clerk::documents().nth(1).unwrap();
    assert!(std::ptr::eq(sum, &SUM));
}
