//! The page in headless Chromium.

use crate::client::{File, Service, in_time, request};
use crate::driver::Browser;
use crate::gated::gated;
use crate::restart::Program;
use serde_json::{Value, json};
use skill_agent::chat::{ModelError, ModelEvent, Scripted};

const TEXT: &str = "//textarea";

/// An expression for the text of all elements of a kind, as a person sees it.
fn texts(selector: &str) -> String {
    format!("[...document.querySelectorAll('{selector}')].map(element => element.innerText)")
}

/// Runs a test with a browser.
async fn browse(test: impl AsyncFnOnce(&Browser)) {
    if let Some(browser) = Browser::start().await {
        in_time(test(&browser)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_reloaded_in_mid_turn_shows_the_whole_text() {
    browse(async |browser| {
        let (model, gate) = gated();
        let service = Service::start(model).await;
        browser.open(&format!("http://{}", service.address)).await;
        browser.enter(TEXT, "Count, <b>please</b>.").await;
        browser
            .wait(&texts("#messages .said"), json!(["Count, <b>please</b>."]))
            .await;
        let mut whole = String::new();
        let mut write = |piece: String| {
            gate.text(&piece);
            whole += &piece;
            whole.clone()
        };
        for count in 0..100 {
            write(format!("{count} <i>"));
            browser.reload().await;
            let text = write(format!("{count} & "));
            let shown = json!(["Count, <b>please</b>.", text]);
            browser.wait(&texts("#messages p"), shown).await;
        }
        gate.finish();
        browser
            .wait("document.getElementById('status').innerText", "")
            .await;
        let shown = browser
            .run(&format!("return {}", texts("#messages p")))
            .await;
        assert_eq!(shown, json!(["Count, <b>please</b>.", whole]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_approves_by_a_button() {
    browse(async |browser| {
        let script = Scripted::new().calls([("clear_notes", json!({}))]);
        // a request that fails after its first word, and is sent again
        let script = script.events([ModelEvent::Text("As".into())]);
        let script = script.then_error(ModelError::Transport("the connection was reset".into()));
        let service = Service::start(script.text("As you wish.")).await;
        browser.open(&format!("http://{}", service.address)).await;
        browser.enter(TEXT, "Clear them.").await;
        browser.click("//button[text()='Approve']").await;
        let shown = json!(["Clear them.", "clear_notes done", "As you wish."]);
        browser.wait(&texts("#messages p"), shown.clone()).await;
        browser.reload().await;
        browser.wait(&texts("#messages p"), shown).await;
        browser.wait(&texts("li a"), json!(["Clear them."])).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_steers_and_stops_a_turn() {
    browse(async |browser| {
        let (model, gate) = gated();
        let service = Service::start(model).await;
        browser.open(&format!("http://{}", service.address)).await;
        browser.enter(TEXT, "Hello.").await;
        gate.text("Let me");
        browser
            .wait(&texts("#messages p"), json!(["Hello.", "Let me"]))
            .await;
        browser.enter(TEXT, "Are you there?").await;
        browser
            .wait(&texts("#queue p"), json!(["Are you there?"]))
            .await;
        browser.click("//button[text()='Stop']").await;
        browser
            .wait("document.getElementById('text').value", "Are you there?")
            .await;
        browser.wait(&texts("#queue p"), json!([])).await;

        browser
            .click("//button[text()='Continue'][not(@hidden)]")
            .await;
        gate.text("Hello, Ann.");
        let messages = texts("#messages p");
        browser
            .wait(&messages, json!(["Hello.", "Hello, Ann."]))
            .await;
        browser.enter(TEXT, " And Bob?").await;
        browser
            .wait(&texts("#queue p"), json!(["Are you there? And Bob?"]))
            .await;
        gate.finish();
        gate.text("Hello, Bob.");
        gate.finish();
        let shown = json!([
            "Hello.",
            "Hello, Ann.",
            "Are you there? And Bob?",
            "Hello, Bob."
        ]);
        browser.wait(&messages, shown).await;
        browser.wait(&texts("#queue p"), json!([])).await;
        browser
            .wait("document.getElementById('status').innerText", "")
            .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_that_another_tab_has_deleted_begins_anew() {
    browse(async |browser| {
        let service = Service::start(Scripted::new().text("Hello.").text("Hello again.")).await;
        browser.open(&format!("http://{}", service.address)).await;
        browser.enter(TEXT, "Hi.").await;
        browser
            .wait(&texts("#messages p"), json!(["Hi.", "Hello."]))
            .await;
        let path = browser.run("return here()").await;
        let path = path.as_str().unwrap();
        let deleted = request(service.address, "DELETE", path, "", "").await;
        assert_eq!(deleted.status, 204);
        browser.wait("source", Value::Null).await;
        browser.enter(TEXT, "Hi!").await;
        browser
            .wait(&texts("#messages p"), json!(["Hi!", "Hello again."]))
            .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_survives_a_kill_of_the_service() {
    browse(async |browser| {
        let file = File::new();
        let program = Program::start(&file, 0);
        let port = program.address.port();
        browser.open(&format!("http://{}", program.address)).await;
        browser.enter(TEXT, "Please note milk.").await;
        browser
            .wait("!!document.querySelector('.text')", true)
            .await;
        drop(program);
        let _program = Program::start(&file, port);
        // the browser connects again by itself
        browser
            .click("//button[text()='Continue'][not(@hidden)]")
            .await;
        let shown = json!([
            "Please note milk.",
            "add_note done",
            "That is settled. What else may I do for you?"
        ]);
        browser.wait(&texts("#messages p"), shown).await;
    })
    .await;
}
