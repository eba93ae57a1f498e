//! The five skills: their parameters, compared with the reference, and their behaviour.

use crate::oracle::oracle;
use serde_json::{Map, Value};
use skill_agent::Agent;
use skill_examples::Workbench;
use skill_examples::skills::file_system::{
    Directory, FileSystem, cat, cd, cp, echo, find, ls, mkdir, mv, pwd, tail, touch,
};
use skill_examples::skills::math::{Math, divide, logarithm, power, round_number, square_root};
use skill_examples::skills::message::{
    Message, MessageContent, add_contact, delete_message, send_message,
};
use skill_examples::skills::posting::{Posting, comment, mention, post_tweet};
use skill_examples::skills::ticket::{
    Ticket, TicketId, TicketRecord, TicketUpdates, create_ticket, edit_ticket, get_user_tickets,
    ticket_login,
};
use std::collections::BTreeSet;

#[test]
fn there_are_68_actions() {
    let names: BTreeSet<&str> = Workbench::tools().iter().map(|tool| tool.name).collect();
    assert_eq!(names.len(), 68);
}

/// Compares names, parameters, types, required parameters and defaults with the reference.
#[test]
fn actions_have_the_parameters_of_the_reference() {
    let Some(skills) = oracle("bfcl/functions") else {
        return;
    };
    let functions: Vec<&Value> = skills
        .as_object()
        .unwrap()
        .values()
        .flat_map(|list| list.as_array().unwrap())
        .collect();
    assert!(!functions.is_empty());

    let tools = Workbench::tools();
    for function in functions {
        let name = function["name"].as_str().unwrap();
        let tool = tools.iter().find(|tool| tool.name == name);
        let tool = tool.unwrap_or_else(|| panic!("there is no action `{name}`"));
        let schema = tool.input_schema();
        let required = |schema: &Value| -> BTreeSet<String> {
            let names = schema["required"].as_array().into_iter().flatten();
            names
                .map(|name| name.as_str().unwrap().to_owned())
                .collect()
        };
        let theirs = &function["parameters"];
        assert_eq!(required(schema), required(theirs), "{name}");

        let none = Map::new();
        let own = schema["properties"].as_object().unwrap_or(&none);
        let theirs = theirs["properties"].as_object().unwrap();
        assert_eq!(own.len(), theirs.len(), "{name}");
        for (parameter, theirs) in theirs {
            let own = resolve(&own[parameter], schema);
            let context = format!("{name}: {parameter}: {own}");
            assert!(has_type(own, theirs["type"].as_str().unwrap()), "{context}");
            let default = own.get("default").filter(|default| !default.is_null());
            // A default of `None` means that there is no default.
            let expected = theirs.get("default").filter(|default| *default != "None");
            assert_eq!(default, expected, "{context}");
        }
    }
}

fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => root.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

fn has_type(schema: &Value, theirs: &str) -> bool {
    let expected = match theirs {
        "float" => "number",
        "dict" => "object",
        same => same,
    };
    match &schema["type"] {
        Value::Array(types) => types.contains(&Value::from(expected)),
        single => single == expected,
    }
}

fn files() -> FileSystem {
    let mut fs = FileSystem::default();
    for name in ["docs", "src"] {
        mkdir(&mut fs, name.into()).unwrap();
    }
    touch(&mut fs, "note.txt".into()).unwrap();
    echo(&mut fs, "one\ntwo".into(), Some("note.txt".into())).unwrap();
    fs
}

fn names(fs: &FileSystem) -> Vec<String> {
    ls(fs, true).unwrap().current_directory_content
}

#[test]
fn a_file_moves_into_a_directory_or_gets_a_new_name() {
    let mut fs = files();
    let moved = mv(&mut fs, "note.txt".into(), "memo.txt".into()).unwrap();
    assert_eq!(moved.result, "'note.txt' moved to 'memo.txt'");
    let moved = mv(&mut fs, "memo.txt".into(), "docs".into()).unwrap();
    assert_eq!(moved.result, "'memo.txt' moved to 'docs/memo.txt'");
    assert_eq!(names(&fs), ["docs", "src"]);
    assert_eq!(
        find(&fs, ".".into(), Some("memo".into())).unwrap().matches,
        ["./docs/memo.txt"]
    );
}

#[test]
fn a_moved_directory_has_its_new_path() {
    let mut fs = files();
    mv(&mut fs, "docs".into(), "src".into()).unwrap();
    cd(&mut fs, "src".into()).unwrap();
    cd(&mut fs, "docs".into()).unwrap();
    assert_eq!(pwd(&fs).current_working_directory, "/workspace/src/docs");
    cd(&mut fs, "..".into()).unwrap();
    assert_eq!(names(&fs), ["docs"]);
}

#[test]
fn a_copied_directory_is_independent() {
    let mut fs = files();
    mv(&mut fs, "note.txt".into(), "docs".into()).unwrap();
    cp(&mut fs, "docs".into(), "copy".into()).unwrap();
    cd(&mut fs, "copy".into()).unwrap();
    echo(&mut fs, "changed".into(), Some("note.txt".into())).unwrap();
    cd(&mut fs, "/".into()).unwrap();
    cd(&mut fs, "docs".into()).unwrap();
    assert_eq!(
        cat(&fs, "note.txt".into()).unwrap().file_content,
        "one\ntwo"
    );
}

#[test]
fn refusals_have_the_words_of_a_shell() {
    let mut fs = files();
    let before = fs.clone();
    let refused = [
        mv(&mut fs, "docs".into(), "docs".into()).unwrap_err(),
        mv(&mut fs, "docs".into(), "../x".into()).unwrap_err(),
        cp(&mut fs, "src".into(), "note.txt".into()).unwrap_err(),
        echo(&mut fs, "text".into(), Some("src".into())).unwrap_err(),
        mkdir(&mut fs, "..".into()).unwrap_err(),
        cd(&mut fs, "..".into()).unwrap_err(),
    ];
    assert_eq!(
        refused.map(|error| error.to_string()),
        [
            "mv: cannot move 'docs' to 'docs/docs': Cannot be put into itself",
            "mv: path not allowed in destination. Provide only a file or directory name.",
            "cp: cannot copy 'src' to 'note.txt': Not a directory",
            "echo: cannot write to 'src': Is a directory",
            "mkdir: cannot create directory '..': File exists",
            "Current directory is already the root. Cannot go back.",
        ]
    );
    assert_eq!(fs, before);
}

#[test]
fn cd_to_the_root_works_from_a_missing_directory() {
    let mut fs = FileSystem {
        root: Directory::new("workspace"),
        cwd: vec!["gone".into()],
    };
    assert!(
        ls(&fs, false)
            .unwrap_err()
            .to_string()
            .contains("Change to /")
    );
    cd(&mut fs, "/".into()).unwrap();
    assert!(names(&fs).is_empty());
}

#[test]
fn the_last_0_lines_are_empty() {
    assert_eq!(tail(&files(), "note.txt".into(), 0).unwrap().last_lines, "");
    assert_eq!(
        tail(&files(), "note.txt".into(), 1).unwrap().last_lines,
        "two"
    );
}

#[test]
fn a_result_that_is_not_a_number_is_an_error_and_not_stored() {
    let mut math = Math::default();
    assert_eq!(square_root(&mut math, 2.0, 3).unwrap().result, 1.41);
    assert_eq!(logarithm(&mut math, 1000.0, 10.0, 8).unwrap().result, 3.0);
    assert_eq!(round_number(&mut math, 2.5, 0).unwrap().result, 2.0);
    assert!(power(&mut math, 10.0, 400.0).is_err());
    assert!(power(&mut math, -8.0, 0.5).is_err());
    assert!(logarithm(&mut math, -1.0, 10.0, 8).is_err());
    assert_eq!(
        divide(&mut math, 1.0, 0.0).unwrap_err().to_string(),
        "Cannot divide by zero"
    );
    assert_eq!(math.last_result, Some(2.0));
}

#[test]
fn users_list_their_own_tickets() {
    let mut tickets = Ticket::default();
    assert!(create_ticket(&mut tickets, "Lamp".into(), String::new(), 1).is_err());
    for (user, title) in [("ann", "Lamp"), ("ben", "Door"), ("ann", "Desk")] {
        ticket_login(&mut tickets, user.into(), "secret".into());
        create_ticket(&mut tickets, title.into(), String::new(), 2).unwrap();
    }
    let updates = TicketUpdates {
        status: Some("Closed".into()),
        ..TicketUpdates::default()
    };
    edit_ticket(&mut tickets, 1, updates).unwrap();
    let ids = |status: Option<&str>| -> Vec<i64> {
        let tickets = get_user_tickets(&tickets, status.map(str::to_owned)).unwrap();
        let number = |ticket: &TicketRecord| match ticket.id {
            Some(TicketId::Number(number)) => number,
            _ => panic!("a ticket without number"),
        };
        tickets.iter().map(number).collect()
    };
    assert_eq!(ids(None), [1, 3]);
    assert_eq!(ids(Some("CLOSED")), [1]);
}

#[test]
fn delete_message_deletes_the_latest_message() {
    let mut messages = Message {
        current_user: Some("USR001".into()),
        ..Message::default()
    };
    for text in ["Hello?", "Are you there?", "Hello?"] {
        send_message(&mut messages, "USR002".into(), text.into()).unwrap();
    }
    delete_message(&mut messages, "USR002".into()).unwrap();
    let texts: Vec<MessageContent> = messages.inbox[3..]
        .iter()
        .map(|sent| sent.message.clone())
        .collect();
    let expected = ["Hello?", "Are you there?"].map(|text| String::from(text).into());
    assert_eq!(texts, expected);
}

#[test]
fn a_new_contact_gets_an_unused_id() {
    let mut messages = Message {
        user_count: 2,
        ..Message::default()
    };
    let added = add_contact(&mut messages, "Eve".into()).unwrap();
    assert_eq!(added.user_id, "USR005");
}

#[test]
fn each_tweet_has_its_own_mentions_and_comments() {
    let mut board = Posting {
        authenticated: true,
        ..Posting::default()
    };
    for text in ["first", "second"] {
        post_tweet(&mut board, text.into(), Vec::new(), Vec::new()).unwrap();
    }
    mention(&mut board, 0, vec!["@eve".into()]).unwrap();
    comment(&mut board, 1, "Well said.".into()).unwrap();
    let mentions = |tweet: i64| board.tweets[&tweet].mentions.as_deref().unwrap();
    assert_eq!(mentions(0), ["@eve"]);
    assert!(mentions(1).is_empty());
    assert_eq!(board.comments[&1].len(), 1);
}
