//! The program itself, killed in mid turn and started again with the same file.

use crate::client::{Chat, File, in_time};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// The running program. It is killed when it is dropped.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
}

impl Program {
    pub fn start(file: &File, port: u16) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_web-chat"));
        let command = command
            .arg(file.path())
            .arg(port.to_string())
            .stdout(Stdio::piped());
        let command = command
            .env_remove("OPENAI_API_KEY")
            .env_remove("OPENAI_BASE_URL");
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap();
        let address = address.parse().unwrap();
        Self { child, address }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_turn_that_a_kill_has_cut_goes_on() {
    in_time(async {
        let file = File::new();
        let program = Program::start(&file, 0);
        let chat = Chat::new(program.address);
        assert_eq!(chat.say("Please note milk.").await, 201);
        let mut events = chat.events().await;
        events.until("called").await;
        let (last, ..) = events.until("text").await.pop().unwrap();
        drop(program);

        let program = Program::start(&file, 0);
        let chat = chat.at(program.address);
        let page = chat.page().await;
        assert_eq!(page["status"], "interrupted");
        // the step with the call is complete, and the words behind it are gone
        let names = page["events"].as_array().unwrap();
        let names: Vec<_> = names
            .iter()
            .map(|event| event[0].as_str().unwrap())
            .collect();
        assert_eq!(names, ["said", "step", "calling", "step", "called", "step"]);

        let mut events = chat.events_after(last).await;
        assert_eq!(events.next().await.unwrap().1, "reload");
        assert_eq!(chat.post("/resume", "").await.status, 202);
        let turn = events.turn().await;
        assert!(turn.iter().all(|(name, _)| name != "calling"), "{turn:?}");
        assert_eq!(turn.last().unwrap().1, "answered");
    })
    .await;
}

#[tokio::test]
async fn a_call_is_decided_after_a_kill() {
    in_time(async {
        let file = File::new();
        let program = Program::start(&file, 0);
        let chat = Chat::new(program.address);
        assert_eq!(chat.say("Please throw them away.").await, 201);
        chat.events().await.until("done").await;
        drop(program);

        let program = Program::start(&file, 0);
        let chat = chat.at(program.address);
        assert_eq!(chat.list().await[0]["status"], "waiting");
        assert_eq!(chat.decide("call_1_1_0", "approve").await.status, 202);
        let called = json!({ "call": "call_1_1_0", "result": "done" });
        let turn = chat.events().await.turn().await;
        assert!(turn.contains(&("called".to_owned(), called)), "{turn:?}");
    })
    .await;
}
