//! Calls under a schema: of each tool once, the model being made to call it.

use super::table::{Outcome, Table};
use super::{Asked, profile};
use crate::kinds::ArgumentAgent;
use skill_agent::bounds::AgentRunsWith;
use skill_agent::chat::{Chat, ChatError, Limits, Stop, ToolChoice, Turn};
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::{ToolError, Toolbox};
use skill_examples::Workbench;
use std::error::Error;

/// Has each tool called.
pub async fn call(asked: &Asked, table: &mut Table) -> Result<(), Box<dyn Error>> {
    of_agent::<Workbench>(asked, table).await?;
    of_agent::<ArgumentAgent>(asked, table).await
}

async fn of_agent<G: AgentRunsWith<()>>(
    asked: &Asked,
    table: &mut Table,
) -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(G::new())
        .guard(|_: &Attempt<'_>| Decision::Allow)
        .start()
        .await?;
    let tools = Toolbox::of(&server);
    for tool in G::tools() {
        if asked.is_left_out(&format!("{} {}", G::SPEC.name, tool.name)) {
            continue;
        }
        let model = asked.model(profile().with_constrained_tools(true));
        let mut chat = Chat::builder(model, tools.clone())
            .tool_choice(ToolChoice::Tool(tool.name.to_owned()))
            .limits(Limits::default().steps(1))
            .options(asked.options.clone())
            .retries(Asked::retries())
            .build()?;
        let question = format!(
            "Call `{}` with values that you make up. Keep each of them short.",
            tool.name
        );
        let (outcome, text) = outcome(chat.send(question).await, tool.name);
        table.row(G::SPEC.name, tool.name, &outcome, &text);
    }
    Ok(())
}

fn outcome(turn: Result<Turn, ChatError>, tool: &str) -> (Outcome, String) {
    let turn = match turn {
        Ok(turn) => turn,
        Err(error) => return (Outcome::Wrong(error.to_string()), String::new()),
    };
    let [call] = turn.calls.as_slice() else {
        let outcome = if turn.stop == Stop::Truncated {
            Outcome::Truncated
        } else {
            Outcome::Wrong("it is not one call".to_owned())
        };
        return (outcome, turn.text().to_owned());
    };
    let arguments = &call.arguments;
    match &call.result {
        _ if call.name != tool => {
            let error = format!("it calls `{}`", call.name);
            (Outcome::Wrong(error), arguments.clone())
        }
        Ok(output) => (
            Outcome::Executed,
            format!("{arguments} -> {}", output.text()),
        ),
        Err(ToolError::Failed { message, .. }) if message.contains("cut off") => {
            (Outcome::Truncated, format!("{arguments} -> {message}"))
        }
        Err(ToolError::Failed { message, .. })
            if !message.contains("panicked") && !message.contains("was not run") =>
        {
            (Outcome::Refused, format!("{arguments} -> {message}"))
        }
        Err(error) => (Outcome::Wrong(error.to_string()), arguments.clone()),
    }
}
