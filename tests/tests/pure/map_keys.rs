//! Maps whose keys JSON cannot hold: typed code can use them, and writing the state is an error with the path of the map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::collections::HashMap;

/// A board of squares.
#[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "board", actions(Place))]
pub struct Board {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Level {
    squares: HashMap<(u8, u8), char>,
}

/// Put a piece on a square of a new level.
#[action]
pub fn place(board: &mut Board, piece: char) {
    board.levels.push(Level {
        squares: HashMap::from([((1, 2), piece)]),
    });
}

agent! {
    pub struct BoardAgent {
        name: "board_agent",
        skills: [Board],
    }
}

#[test]
fn a_state_with_keys_that_json_cannot_hold_is_an_error_with_the_path_of_the_map() {
    let mut agent = BoardAgent::new();
    assert!(agent.state_json().is_ok());
    agent.cmd(Place { piece: 'k' }).unwrap();
    let error = agent.state_json().unwrap_err().to_string();
    assert_eq!(
        error,
        "`board.levels[0].squares`: the map has a key that JSON cannot hold: a key is a `String`, a number, a `bool`, a `char` \
         or an enum without content; a `Vec` of pairs holds any keys"
    );
}
