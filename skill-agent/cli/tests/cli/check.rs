//! Words in documents that are almost the name of a tool.

use crate::support::Folder;
use serde_json::json;
use skill_agent::contract::Contract;
use skill_agent::prelude::*;

/// Keeps orders.
#[derive(Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "orders", actions(SearchOrders))]
struct Orders {}

/// Search the orders.
#[action]
fn search_orders(_: &Orders, customer: String) -> usize {
    customer.len()
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Orders],
    }
}

const RIGHT: &str = "---\nname: right\ndescription: d\n---\nCall `search_orders` of `orders` with a `customer`, or `skill`.\n";

const WRONG: &str =
    "---\nname: wrong\ndescription: d\n---\n\nCall `serch_orders(name)`, not `search_order`.\n";

fn folder() -> Folder {
    let contract = Contract::of::<Clerk>().to_text();
    Folder::of(&[
        ("contract.json", &contract),
        ("a/SKILL.md", RIGHT),
        ("b/SKILL.md", WRONG),
        ("other.json", "{}"),
    ])
}

#[test]
fn the_exit_code_says_whether_all_tools_exist() {
    let folder = folder();
    let check = |rest: &[&str]| {
        let arguments = [&["check", "--contract"], rest].concat();
        let run = folder.run(&arguments);
        (run.code, run.err)
    };
    assert_eq!(check(&["contract.json", "a"]), (0, String::new()));
    assert_eq!(check(&["contract.json", "a", "b"]).0, 1);
    assert_eq!(check(&["contract.json", "."]).0, 1);
    assert_eq!(check(&["contract.json", "gone"]).0, 2);
    let (code, error) = check(&["other.json", "a"]);
    assert_eq!(code, 2);
    let expected = "the contract file `other.json` cannot be used: it is not a contract file: it has no `contract_format`";
    assert!(error.contains(expected), "{error}");
    let (code, error) = check(&["gone.json", "a"]);
    assert_eq!(code, 2);
    assert!(
        error.contains("the contract file `gone.json` cannot be used: it does not exist"),
        "{error}"
    );
}

#[test]
fn a_word_is_shown_in_its_line_with_the_name_that_was_meant() {
    let run = folder().run(&["check", "--contract", "contract.json", "."]);
    let expected = "\
warning[misspelled_tool]: no tool has the name `serch_orders`; did you mean `search_orders`?
 --> ./b/SKILL.md:6:7
  |
6 | Call `serch_orders(name)`, not `search_order`.
  |       ^^^^^^^^^^^^

warning[misspelled_tool]: no tool has the name `search_order`; did you mean `search_orders`?
 --> ./b/SKILL.md:6:33
  |
6 | Call `serch_orders(name)`, not `search_order`.
  |                                 ^^^^^^^^^^^^

2 documents: 2 problems
";
    assert_eq!(run.out, expected);
}

#[test]
fn json_has_the_place_of_each_word() {
    let run = folder().run(&["check", "--json", "--contract", "contract.json", "b", "a"]);
    let lines = run.lines();
    let diagnostic = |column: u32, word: &str| {
        json!({
            "code": "misspelled_tool",
            "severity": "warning",
            "line": 6,
            "column": column,
            "message": format!("no tool has the name `{word}`; did you mean `search_orders`?"),
            "help": null,
        })
    };
    let expected = [
        diagnostic(7, "serch_orders"),
        diagnostic(33, "search_order"),
    ];
    assert_eq!(lines[0]["diagnostics"], json!(expected));
    assert_eq!(lines[1]["diagnostics"], json!([]));
}
