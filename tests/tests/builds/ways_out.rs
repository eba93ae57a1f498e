//! The ways out of a refused start: they are named, they work, and their use is reported.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;
use skill_agent::{HookError, Instruction, StartError};
use std::collections::BTreeMap;

/// A board whose cells have two coordinates, which is no key in JSON.
mod board {
    use super::*;

    /// Has cells.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "board", version = "1.0.0", actions(Place))]
    pub struct Board {
        pub cells: BTreeMap<(u8, u8), String>,
        pub moves: u32,
    }

    /// Place a piece.
    #[action]
    pub fn place(board: &mut Board, piece: String) {
        board.cells.insert((1, 2), piece);
        board.moves += 1;
    }

    agent! {
        /// Plays.
        pub struct Game {
            name: "game",
            skills: [Board],
        }
    }
}

/// A board with other cells, which converts the earlier ones.
mod converting {
    use super::*;

    /// Has cells.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "board", version = "2.0.0", hooks)]
    pub struct Board {
        pub cells: Vec<String>,
        pub moves: u32,
    }

    impl Hooks for Board {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            let cells: Vec<((u8, u8), String)> = serde_json::from_value(state["cells"].clone())?;
            let cells = cells.into_iter();
            let cells = cells.map(|((row, column), piece)| format!("{row}:{column} {piece}"));
            let moves = 1;
            Ok(Self {
                cells: cells.collect(),
                moves,
            })
        }
    }

    agent! {
        /// Plays.
        pub struct Game {
            name: "game",
            skills: [Board],
        }
    }
}

/// The same board in an incompatible version, which counts the moves from another number.
mod recounting {
    use super::*;

    /// Has cells.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "board", version = "2.0.0", hooks)]
    pub struct Board {
        pub cells: BTreeMap<(u8, u8), String>,
        pub moves: u32,
    }

    impl Hooks for Board {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            let cells: Vec<((u8, u8), String)> = serde_json::from_value(state["cells"].clone())?;
            let cells = cells.into_iter().collect();
            Ok(Self { cells, moves: 100 })
        }
    }

    agent! {
        /// Plays.
        pub struct Game {
            name: "game",
            skills: [Board],
        }
    }
}

/// Lines of an order.
mod lines {
    use super::*;

    /// A line.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct Line {
        pub sku: String,
        pub note: String,
    }

    /// Has lines.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "order", version = "1.1.0", actions(Add))]
    pub struct Order {
        pub lines: Vec<Line>,
        pub total: u32,
    }

    /// Add a line.
    #[action]
    pub fn add(order: &mut Order, sku: String) {
        let note = "new".to_owned();
        order.lines.push(Line { sku, note });
        order.total += 1;
    }

    agent! {
        /// Sells.
        pub struct Shop {
            name: "shop",
            skills: [Order],
        }
    }
}

/// Lines without notes, as an earlier build has them.
mod shorter_lines {
    use super::*;

    /// A line.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct Line {
        pub sku: String,
    }

    /// Has lines.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "order", version = "1.0.0", actions(Mark, MarkLater))]
    pub struct Order {
        pub lines: Vec<Line>,
        pub total: u32,
        pub mark: Lopsided,
    }

    /// Make the state one that cannot be read back.
    #[action]
    pub fn mark(order: &mut Order) {
        order.mark = Lopsided(3);
    }

    /// The same as a follow-up.
    #[action]
    pub fn mark_later(_: &Order, cx: &mut Context<Order>) {
        cx.run(Instruction::new("mark", json!({})));
    }

    agent! {
        /// Sells.
        pub struct Shop {
            name: "shop",
            skills: [Order],
        }
    }
}

/// A number that is stored as text, unless it is 0, and read as a number.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct Lopsided(u32);

impl Serialize for Lopsided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_u32(0),
            number => serializer.serialize_str(&number.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Lopsided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self)
    }
}

/// A state that is never read as it is stored.
mod unstorable {
    use super::*;

    /// Writes another name than it reads.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct Label {
        #[serde(rename(serialize = "TEXT"))]
        pub text: String,
    }

    impl Default for Label {
        fn default() -> Self {
            let text = "none".to_owned();
            Self { text }
        }
    }

    /// Has a label.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "shelf")]
    pub struct Shelf {
        pub label: Label,
    }

    agent! {
        /// Has a shelf.
        pub struct Room {
            name: "room",
            skills: [Shelf],
        }
    }
}

fn server<G: Agent + AgentRunsWith<()>>(store: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("ways-1")).store(store.clone())
}

async fn refused<G: Agent + AgentRunsWith<()>>(store: &Memory) -> String {
    chain(&server::<G>(store).start().await.unwrap_err())
}

#[timed_test::test]
async fn a_field_of_a_list_item_is_dropped_with_its_list_and_the_report_names_it() {
    let store = Memory::default();
    let shop = start(server::<lines::Shop>(&store)).await;
    let sku = "pen".to_owned();
    shop.call(lines::Add { sku }).await.unwrap();
    kill(shop).await;
    assert_eq!(
        refused::<shorter_lines::Shop>(&store).await,
        "the stored state of `ways-1` cannot be restored: the state of `order` was stored by version 1.1.0 and does not fit version 1.0.0: \
         `lines.0.note` is stored and not read; drop `order.lines` with `AgentServer::builder(...).forget(\"order.lines\")`, or implement \
         `Hooks::restore`"
    );
    let builder = || server::<shorter_lines::Shop>(&store).forget("order.lines");
    let shop = start(builder()).await;
    assert_eq!(shop.recovery().forgotten, ["order.lines"]);
    let order = shop.agent().await.unwrap().state().order.clone();
    assert_eq!((order.lines, order.total), (Vec::new(), 1));
    kill(shop).await;
    // The state of this build has the field, empty.
    let shop = start(builder()).await;
    assert_eq!(shop.recovery().forgotten, ["order.lines"]);
    kill(shop).await;
    let shop = start(server::<shorter_lines::Shop>(&store)).await;
    assert!(shop.recovery().forgotten.is_empty());
}

#[timed_test::test]
async fn the_hook_restore_gets_a_map_with_keys_that_json_cannot_have_as_pairs() {
    for has_same_schema in [false, true] {
        let store = Memory::default();
        let game = start(server::<board::Game>(&store)).await;
        let piece = "rook".to_owned();
        game.call(board::Place { piece }).await.unwrap();
        kill(game).await;
        if has_same_schema {
            let game = start(server::<recounting::Game>(&store)).await;
            assert_eq!(game.recovery().migrated, ["board"]);
            let board = game.agent().await.unwrap().state().board.clone();
            assert_eq!((&*board.cells[&(1, 2)], board.moves), ("rook", 100));
        } else {
            let game = start(server::<converting::Game>(&store)).await;
            assert_eq!(game.recovery().migrated, ["board"]);
            let board = game.agent().await.unwrap().state().board.clone();
            assert_eq!((board.cells, board.moves), (vec!["1:2 rook".to_owned()], 1));
        }
    }
}

#[timed_test::test]
async fn a_state_that_is_adopted_for_an_unknown_key_is_refused_with_both_keys() {
    let store = Memory::default();
    kill(start(server::<lines::Shop>(&store)).await).await;
    let builder = server::<lines::Shop>(&store).adopt_skill("sales", "ordr");
    assert_eq!(
        chain(&builder.start().await.unwrap_err()),
        "the stored state of `ways-1` cannot be restored: `adopt_skill(\"sales\", \"ordr\")`: the agent has no skill with the state key \
         `ordr`; its state keys are `order`"
    );
}

#[timed_test::test]
async fn a_state_that_cannot_be_stored_is_an_error_of_its_own_at_the_start() {
    let error = server::<unstorable::Room>(&Memory::default())
        .start()
        .await
        .unwrap_err();
    assert!(matches!(&error, StartError::State { .. }), "{error:?}");
    assert_eq!(
        chain(&error),
        "`ways-1` has a state that cannot be stored: the state of `shelf` would not survive a restart, because its `Serialize` and \
         `Deserialize` differ: it cannot be read: missing field `text`"
    );
}

#[timed_test::test]
async fn a_follow_up_whose_state_cannot_be_stored_is_not_executed_after_each_start() {
    let store = Memory::default();
    let shop = start(server::<shorter_lines::Shop>(&store)).await;
    shop.call(shorter_lines::MarkLater {}).await.unwrap();
    shop.stop().await.unwrap();
    let shop = start(server::<shorter_lines::Shop>(&store)).await;
    assert_eq!(shop.recovery().directives, 0);
    let order = shop.agent().await.unwrap().state().order.clone();
    assert_eq!(order.mark, Lopsided(0));
}
