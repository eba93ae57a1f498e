//! Chats with an MCP server that asks for other tokens between and within turns.

use crate::login::{Instead, Login, credentials, json_response, person};
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Scripted, Turn};
use skill_agent::mcp::{McpClient, McpTools, OpenHttp};
use skill_agent::prelude::*;
use skill_agent::server::Applied;
use skill_agent::toolbox::Toolbox;

async fn chat(model: &Scripted, tools: McpTools) -> Chat {
    let toolbox = Toolbox::builder().mcp("far", tools).build().await.unwrap();
    Chat::builder(model.clone(), toolbox).build().unwrap()
}

async fn office(open: OpenHttp) -> McpTools {
    open.await.unwrap().allow(["add_note", "notes"])
}

async fn desk(login: &Login) -> McpTools {
    let client = McpClient::http(login.desk_url()).sign_in(person(login));
    client.await.unwrap().allow(["send", "add"])
}

/// A model that makes one call in each turn, and then says so.
fn calling(names: &[&str]) -> Scripted {
    names.iter().fold(Scripted::new(), |model, name| {
        let arguments = match *name {
            "far__add_note" => json!({ "text": "milk" }),
            _ => json!({}),
        };
        model
            .calls([(*name, arguments)])
            .text(format!("Did {name}."))
    })
}

/// Returns the result of the turn's only call as the model reads it, in its last request. The history has the same one.
fn read(model: &Scripted, chat: &Chat, turn: &Turn) -> String {
    assert_eq!(turn.calls.len(), 1);
    let requests = model.requests();
    let messages = &requests.last().unwrap().messages;
    // the answer comes last in the history
    assert_eq!(chat.history().len(), messages.len() + 1);
    assert_eq!(chat.history()[..messages.len()], messages[..]);
    let last: Value = serde_json::to_value(messages.last().unwrap()).unwrap();
    last.to_string()
}

#[timed_test::test]
async fn a_token_that_expires_between_two_turns_is_replaced() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let open = || McpClient::http(&url);
    for opened in [
        open().client_credentials(credentials()),
        open().sign_in(person(&login)),
    ] {
        let model = calling(&["far__notes", "far__notes", "far__notes"]);
        let mut chat = chat(&model, office(opened).await).await;
        for has_refresh in [true, true, false] {
            let turn = chat.send("Which notes?").await.unwrap();
            assert_eq!(turn.text(), "Did far__notes.");
            assert_eq!(turn.calls[0].result.clone().unwrap().text(), "[]");
            let read = read(&model, &chat, &turn);
            assert!(read.contains("[]") && !read.contains("token"), "{read}");
            login.expire();
            if !has_refresh {
                login.state().refresh_tokens.clear();
            }
        }
    }
}

#[timed_test::test]
async fn a_turn_gets_the_scope_that_its_call_needs() {
    let login = Login::start().await;
    let model = calling(&["far__send", "far__send"]);
    let mut chat = chat(&model, desk(&login).await).await;
    for message in ["Send it.", "Again."] {
        let turn = chat.send(message).await.unwrap();
        assert_eq!(turn.text(), "Did far__send.");
        assert_eq!(turn.calls[0].result.clone().unwrap().text(), "send is done");
        let read = read(&model, &chat, &turn);
        assert!(read.contains("send is done"), "{read}");
        assert_eq!(login.state().visits.len(), 2);
    }
    assert_eq!(login.state().visits[1]["scope"], "mail");
    // the first call was refused once
    assert_eq!(login.state().called, ["send", "send", "send"]);
}

#[timed_test::test]
async fn a_person_who_denies_in_a_turn_ends_neither_the_turn_nor_the_chat() {
    let login = Login::start().await;
    let model = calling(&["far__send", "far__send", "far__add"]);
    let mut chat = chat(&model, desk(&login).await).await;
    login.state().denial = Some("error=access_denied&error_description=not+today");
    let turn = chat.send("Send it.").await.unwrap();
    assert_eq!(turn.text(), "Did far__send.");
    let error = turn.calls[0].result.clone().unwrap_err();
    assert_eq!(error.applied(), Applied::No, "{error:?}");
    let denied = "the person did not allow the access: access_denied: not today";
    assert!(error.to_string().contains(denied), "{error}");
    let text = read(&model, &chat, &turn);
    assert!(text.contains(denied), "{text}");

    // the person is not asked again, and the model reads the name of the missing scope
    let turn = chat.send("Do it.").await.unwrap();
    let text = read(&model, &chat, &turn);
    assert!(text.contains("lacks the scope `mail`"), "{text}");
    assert_eq!(login.state().visits.len(), 2);

    login.state().denial = None;
    let turn = chat.send("Then add it.").await.unwrap();
    assert_eq!(turn.calls[0].result.clone().unwrap().text(), "add is done");
    assert_eq!(login.state().visits[2]["scope"], "calendar");
}

#[timed_test::test]
async fn a_server_that_restarts_between_two_turns_needs_no_person() {
    let login = Login::start().await;
    let (server, url) = login.office().await;
    let open = || McpClient::http(&url);
    let program = office(open().client_credentials(credentials())).await;
    let person = office(open().sign_in(person(&login))).await;
    let names = ["far__add_note", "far__notes", "far__notes"];
    let (first, second) = (calling(&names), calling(&names));
    let mut chats = [
        (chat(&first, program).await, &first, "1"),
        (chat(&second, person).await, &second, "2"),
    ];
    for (chat, _, result) in &mut chats {
        let turn = chat.send("Note milk.").await.unwrap();
        assert_eq!(turn.calls[0].result.clone().unwrap().text(), *result);
    }
    let address = server.local_addr();
    server.stop().await;
    let (server, _) = login.office_at(address).await;
    for (chat, model, _) in &mut chats {
        let turn = chat.send("Which notes?").await.unwrap();
        assert_eq!(turn.text(), "Did far__notes.");
        let read = read(model, chat, &turn);
        // the notes were in memory
        assert!(read.contains("[]"), "{read}");
    }

    // meanwhile, the tokens expire
    server.stop().await;
    login.expire();
    let (_server, _) = login.office_at(address).await;
    for (chat, model, _) in &mut chats {
        let turn = chat.send("And now?").await.unwrap();
        let read = read(model, chat, &turn);
        assert!(read.contains("[]"), "{read}");
    }
    assert_eq!(login.state().visits.len(), 1);
}

#[timed_test::test]
async fn a_message_can_be_sent_again_when_the_authorization_server_works_again() {
    let login = Login::start().await;
    let (_office, url) = login.office().await;
    let opened = McpClient::http(&url).sign_in(person(&login));
    let model = calling(&["far__notes"]);
    let mut chat = chat(&model, office(opened).await).await;
    login.expire();
    let answer = json!({ "error": "temporarily_unavailable" });
    login.instead("/token", Instead::Response(json_response(503, &answer)));
    // the tools cannot be listed
    let error = chat.send("Which notes?").await.unwrap_err().to_string();
    assert!(error.contains("cannot give a token now"), "{error}");
    assert!(chat.history().is_empty() && model.requests().is_empty());
    login.state().instead.clear();
    let turn = chat.send("Which notes?").await.unwrap();
    assert_eq!(turn.text(), "Did far__notes.");
    assert!(read(&model, &chat, &turn).contains("[]"));
}
