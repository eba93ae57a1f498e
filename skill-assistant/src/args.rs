//! The options of the command line.

use clap::Parser;
use skill_agent::chat::Prices;
#[cfg(feature = "http")]
use std::net::SocketAddr;
use std::path::PathBuf;

/// An assistant in the terminal: notes, files, web pages and documents
///
/// The model is chosen by `--provider`, by `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, or is found on this machine.
#[derive(Debug, Parser)]
#[command(name = "skill-assistant", version)]
pub(crate) struct Args {
    /// Play a recorded conversation with the real agent; nothing of it is kept
    #[arg(long, conflicts_with_all = ["data", "files"])]
    pub(crate) demo: bool,
    /// With `--demo`: approve every call
    #[arg(long, requires = "demo")]
    pub(crate) yes: bool,
    /// The folder with the conversations and notes [default: $XDG_DATA_HOME/skill-assistant]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The folder whose files the assistant reads and, if you approve, writes
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) files: PathBuf,
    /// A folder with SKILL.md documents, beside the ones that come with the program; can be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) documents: Vec<PathBuf>,
    #[cfg(feature = "http")]
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// An address that `fetch` may reach although it is not public, such as `127.0.0.1:8000`; can be repeated
    #[cfg(feature = "http")]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) allow: Vec<SocketAddr>,
    /// An MCP server, such as `files=npx -y @modelcontextprotocol/server-filesystem .` or `far=https://example.com/mcp`; can be
    /// repeated
    #[cfg(feature = "mcp")]
    #[arg(long, value_name = "NAME=SERVER", value_parser = mcp_server)]
    pub(crate) mcp: Vec<McpServer>,
    /// The prices of a million tokens in requests and in answers, such as `3,15`, for `/cost`
    #[arg(long, value_name = "IN,OUT", value_parser = prices)]
    pub(crate) price: Option<Prices>,
}

/// The choice of a model.
#[cfg(feature = "http")]
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ModelArgs {
    /// The provider of the model: openai, anthropic, or openai-compatible at `OPENAI_BASE_URL`
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The name of the model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The address of a server with an API like OpenAI's, such as `http://localhost:8080/v1`
    #[arg(long, conflicts_with = "provider")]
    pub(crate) url: Option<String>,
    /// Use no model
    #[arg(long, conflicts_with_all = ["agent", "model", "provider", "url"])]
    pub(crate) no_model: bool,
    /// The agent whose AGENT.md names the model and the system text
    #[arg(long, value_name = "NAME", conflicts_with_all = ["model", "provider", "url"])]
    pub(crate) agent: Option<String>,
    /// The folder with the agents, each in a file NAME/AGENT.md
    #[arg(long, value_name = "DIR", default_value = "agents")]
    pub(crate) agents: PathBuf,
}

/// An MCP server and the name of its tools' group.
#[cfg(feature = "mcp")]
#[derive(Clone, Debug)]
pub(crate) struct McpServer {
    pub(crate) name: String,
    /// An address, or a program with its arguments.
    pub(crate) server: String,
}

#[cfg(feature = "mcp")]
fn mcp_server(text: &str) -> Result<McpServer, String> {
    match text.split_once('=') {
        Some((name, server)) if !name.trim().is_empty() && !server.trim().is_empty() => {
            Ok(McpServer {
                name: name.trim().to_owned(),
                server: server.trim().to_owned(),
            })
        }
        _ => Err("write a name and a server, such as `far=https://example.com/mcp`".to_owned()),
    }
}

fn prices(text: &str) -> Result<Prices, String> {
    let price = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|price| *price >= 0.0)
    };
    let prices = text.split_once(',').and_then(|(input, output)| {
        let (input, output) = (price(input)?, price(output)?);
        // without other prices, tokens in a cache cost as much as other ones
        let (cached, cache_writes) = (input, input);
        Some(Prices {
            input,
            cached,
            cache_writes,
            output,
        })
    });
    prices.ok_or_else(|| "write two prices of a million tokens, such as `3,15`".to_owned())
}
