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

/// The texts from [`Hooks::turn_context`](skill_core::Hooks::turn_context).
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct TurnContexts {
    /// The texts, in the order of the servers.
    pub texts: Vec<TurnContext>,
    /// The agents whose servers did not respond in time.
    pub late: Vec<&'static str>,
}

impl Toolbox {
    /// Asks all servers for their skills' texts.
    #[doc(hidden)]
    pub async fn turn_contexts(&self) -> TurnContexts {
        let sources = self.shared.sources.iter();
        let servers = sources.filter_map(|source| match source {
            Source::Server(source) if source.server.may_have_turn_contexts() => Some(source),
            _ => None,
        });
        let asked = servers.map(|source| -> BoxFuture<'_, _> {
            let texts = timeout(TIME_LIMIT, source.server.turn_contexts());
            Box::pin(async move { (source.name(), texts.await) })
        });
        let mut contexts = TurnContexts::default();
        for (agent, texts) in join_all(asked.collect()).await {
            match texts {
                Ok(Ok(texts)) => contexts.texts.extend(texts),
                // the server has stopped, or one of its actions runs this chat
                Ok(Err(error)) => tracing::debug!(agent, %error, "an agent gives no turn context"),
                Err(_) => contexts.late.push(agent),
            }
        }
        contexts
    }
}
