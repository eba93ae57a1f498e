//! The skills' texts about their states.

use crate::Toolbox;
use crate::join::join_all;
use crate::sources::Source;
use skill_agent_server::BoxFuture;
use skill_core::process::TurnContext;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for all servers together.
const TIME_LIMIT: Duration = Duration::from_secs(1);

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
        let sources = self.shared.sources.iter();
        let servers = sources.filter_map(|source| match source {
            Source::Server(source) if source.server.may_have_turn_contexts() => Some(source),
            _ => None,
        });
        let asked = servers.map(|source| -> BoxFuture<'_, _> {
            Box::pin(async move {
                let agent = source.name();
                let texts = match timeout(TIME_LIMIT, source.server.turn_contexts()).await {
                    Ok(Ok(texts)) => Some(texts),
                    // for example, an action of the server runs this chat
                    Ok(Err(error)) => {
                        tracing::warn!(agent, %error, "an agent gives no turn contexts");
                        None
                    }
                    Err(_) => {
                        tracing::warn!(agent, "an agent did not give its turn contexts in time");
                        None
                    }
                };
                AgentContexts { agent, texts }
            })
        });
        join_all(asked.collect()).await
    }
}
