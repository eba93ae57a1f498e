//! The rows in conversations whose server is killed. The next server sends the provider the same.

use super::{Row, model, same, sent};
use crate::support::{Assistant, Gates, gate};
use model_server::{Response, Server};
use skill_agent::chat::{Chat, Conversations, Message, Retries};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::fmt::Display;

impl Row {
    /// Checks the row in two conversations: the server of one is killed after the turn, that of the other behind its first step.
    pub async fn check_kept(&self) -> Result<(), String> {
        let models = Server::start(self.responses(&self.wire)).await;
        let store = Memory::default();
        let (agent, chats) = self.open(&models, &store).await;
        let turn = chats.send("ann", "Hello?").await.map_err(text)?;
        let requests = models.received();
        crash(agent).await;
        let (_agent, chats) = self.open(&models, &store).await;
        let page = chats.get("ann").await.map_err(text)?;
        let answer = page.history.last().filter(|last| !last.is_of_user());
        let answer = answer.map_or_else(String::new, Message::text);
        same("the stored answer", &answer, &turn.text())?;
        chats.send("ann", "And now?").await.map_err(text)?;
        same(
            "the message sent after a restart",
            &sent(self.format, &models.body()),
            &self.sent,
        )?;
        match requests.get(1) {
            Some(second) => self.check_resumed(&second.text).await,
            None => Ok(()),
        }
    }

    /// Checks the request of a resumed turn behind its first step. Before, the connection of this request was cut.
    async fn check_resumed(&self, expected: &str) -> Result<(), String> {
        let models = Server::start([self.wire.response(), Response::stream("").cut()]).await;
        let store = Memory::default();
        let (agent, chats) = self.open(&models, &store).await;
        let failed = chats.send("ann", "Hello?").await;
        same("the failure of the second request", &failed.is_err(), &true)?;
        crash(agent).await;
        models.respond([super::wires::plain(self.format)]);
        let (_agent, chats) = self.open(&models, &store).await;
        let running = chats.resume("ann").await.map_err(text)?;
        let turn = running.wait().await.map_err(text)?;
        same("the text of the resumed turn", &turn.text(), &"Done.")?;
        let resumed = models.received().pop().unwrap();
        same(
            "the request of the resumed turn",
            &&*resumed.text,
            &expected,
        )
    }

    async fn open(
        &self,
        models: &Server,
        store: &Memory,
    ) -> (AgentServer<Assistant>, Conversations) {
        let agent = AgentServer::builder(Assistant::with_id("main"))
            .resources(Gates { gate: gate().0 })
            .store(store.clone())
            .start()
            .await
            .unwrap();
        let (model, toolbox) = (model(&models.url, self.format), Toolbox::of(&agent));
        let build = move |_| Chat::builder(model.clone(), toolbox.clone()).retries(Retries::none());
        let chats = Conversations::open(&agent, build);
        (agent, chats.await.unwrap())
    }
}

async fn crash(agent: AgentServer<Assistant>) {
    agent.kill();
    agent.closed().await;
}

fn text(error: impl Display) -> String {
    error.to_string()
}
