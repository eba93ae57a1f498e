//! Reports broken rules at compile time, at the token of the entry.

use super::examine::{Examined, RULES};
use super::listed::{Listed, count};
use super::look::Look;
use super::say::{Told, reserved_tool, say};
use super::scene::Scene;
use skill_core::__private::ConstMessage;

/// The most documents of an entry that are reported; the others are only counted.
const MOST: usize = 10;
/// The most documents that get suggestions, which cost more time than everything else.
const SUGGESTED: usize = 3;
/// Stop reporting documents once the message is this long, because the const buffer truncates it.
const LONGEST: usize = 3_000;

/// Panics, in const evaluation, if a document of the entry does not fit. `agent!` calls it at the token of the entry.
#[track_caller]
pub const fn tell<const N: usize, const ROOM: usize>(
    listed: &[Listed<'_>],
    scene: &Scene<'_>,
    examined: &Examined<N, ROOM>,
    entry: usize,
) {
    if examined.is_clean || stands_in(scene) {
        return;
    }
    let mut look = Look::new(scene, examined.tables.as_flattened());
    let (before, after) = listed.split_at(entry);
    let mut index = count(before);
    let end = index + after[0].docs.len();
    let mut text = ConstMessage::new();
    let (mut told, mut more) = (0, 0);
    while index < end {
        let found = &examined.found[index];
        let is_told = told < MOST && text.as_str().len() < LONGEST;
        if found.rules != 0 {
            told += is_told as usize;
            more += !is_told as usize;
        }
        look.suggests = told <= SUGGESTED;
        let mut r = 0;
        while is_told && r < RULES.len() {
            if found.rules & RULES[r] != 0 {
                text = also(text, &say(&look, found, index, RULES[r]));
            }
            r += 1;
        }
        index += 1;
    }
    if more > 0 {
        text = number(text.push(&["; and of "]), more)
            .push(&[" more documents something does not fit either"]);
    }
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Panics if an agent that offers documents has an action named `skill`. `agent!` calls it at the value of `allow_skills`.
#[track_caller]
pub const fn tell_allow_skills(scene: &Scene<'_>) {
    if let Some(told) = reserved_tool(scene) {
        panic!("{}", also(ConstMessage::new(), &told).as_str());
    }
}

const fn also(text: ConstMessage, told: &Told) -> ConstMessage {
    text.separate().push(&[
        told.what.as_str(),
        "; ",
        told.help.as_str(),
        " [",
        told.code.as_str(),
        "]",
    ])
}

const fn number(text: ConstMessage, number: usize) -> ConstMessage {
    let digit = "0123456789".split_at(number % 10).1.split_at(1).0;
    match number / 10 {
        0 => text.push(&[digit]),
        rest => self::number(text, rest).push(&[digit]),
    }
}

/// Whether a skill is a placeholder, without actions, for one with errors, which are reported elsewhere.
const fn stands_in(scene: &Scene<'_>) -> bool {
    let mut s = 0;
    while s < scene.skills.len() {
        if scene.skills[s].__is_stub() {
            return true;
        }
        s += 1;
    }
    let mut m = 0;
    while m < scene.mountable.len() {
        if scene.mountable[m].spec().__is_stub() {
            return true;
        }
        m += 1;
    }
    false
}
