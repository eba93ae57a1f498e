//! Words in backticks in the documents of an agent.

use crate::skills::*;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;
use skill_agent::testing::assert_texts;
use std::panic::catch_unwind;

static MISSPELLED: SkillDoc = include_skill!("skills/misspelled/SKILL.md");

agent! {
    pub struct Misspelled {
        name: "misspelled_texts",
        skills: [Notes, Journal],
        documents: [MISSPELLED],
    }
}

agent! {
    struct Right {
        name: "right",
        skills: [Notes as left, Journal, Braces],
    }
}

#[test]
fn texts_with_the_names_of_tools_pass() {
    assert_texts::<Right>();
}

#[test]
fn a_misspelled_name_fails_with_the_name_that_was_meant() {
    let panic = catch_unwind(assert_texts::<Misspelled>).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert_eq!(
        message,
        "texts of `misspelled_texts` name tools that do not exist:\n\
         misspelled: warning[misspelled_tool]: no tool has the name `recrod`; did you mean `record`?\n\
         misspelled: warning[misspelled_tool]: no tool has the name `begn`; did you mean `begin`?"
    );
}
