// A folder has three hundred documents, and every one requires missing tools.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

/// Reads and writes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", actions(ReadThePage, WriteThePage))]
struct Desk {}

/// Read a page.
#[action]
fn read_the_page(_: &Desk) {}

/// Write a page.
#[action]
fn write_the_page(_: &Desk) {}

const fn doc(n: usize) -> SkillDoc {
    const IDS: &str = match str::from_utf8(&[b'a'; 300]) {
        Ok(ids) => ids,
        Err(_) => "",
    };
    Embedded {
        id: IDS.split_at(n + 1).0,
        requires_tools: &[DocText::Borrowed("read_a_page"), DocText::Borrowed("shell")],
        ..Embedded::EMPTY
    }
    .doc()
}

const fn five(n: usize) -> [SkillDoc; 5] {
    [doc(n), doc(n + 1), doc(n + 2), doc(n + 3), doc(n + 4)]
}

const fn fifty(n: usize) -> [[SkillDoc; 5]; 10] {
    [
        five(n),
        five(n + 5),
        five(n + 10),
        five(n + 15),
        five(n + 20),
        five(n + 25),
        five(n + 30),
        five(n + 35),
        five(n + 40),
        five(n + 45),
    ]
}

static ALL: [[[SkillDoc; 5]; 10]; 6] = [
    fifty(0),
    fifty(50),
    fifty(100),
    fifty(150),
    fifty(200),
    fifty(250),
];

static FOLDER: &[SkillDoc] = ALL.as_flattened().as_flattened();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [..FOLDER],
    }
}

fn main() {}
