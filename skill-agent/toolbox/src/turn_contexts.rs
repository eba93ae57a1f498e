//! The skills' texts about their states.

use crate::Toolbox;
use crate::ask_servers::ServerAnswer;
use skill_agent_server::ErasedServer;
use skill_core::process::TurnContext;

/// The texts of an agent's skills, from [`Hooks::turn_context`](skill_core::Hooks::turn_context).
#[doc(hidden)]
#[derive(Debug)]
pub struct AgentContexts {
    /// The name of the agent.
    pub agent: &'static str,
    /// The texts, or `None` if the server did not respond in time, or with an error.
    pub texts: Option<Vec<TurnContext>>,
}

impl Toolbox {
    /// Asks all servers for their skills' texts.
    #[doc(hidden)]
    pub async fn turn_contexts(&self) -> Vec<AgentContexts> {
        let asked = self.shared.ask_servers(
            ErasedServer::may_have_turn_contexts,
            ErasedServer::turn_contexts,
        );
        let answers = asked.await.into_iter();
        let contexts = answers.map(|ServerAnswer { agent, answer }| {
            let texts = answer.inspect_err(|reason| {
                tracing::warn!(agent, %reason, "an agent gives no turn contexts");
            });
            let texts = texts.ok();
            AgentContexts { agent, texts }
        });
        contexts.collect()
    }
}
