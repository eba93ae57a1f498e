//! Chooses a model over HTTP.

use super::Model;
use super::local::{LocalServer, models_of, servers};
use crate::Failure;
use crate::args::ModelArgs;
use reqwest::Url;
use skill_agent::chat::{Chat, OpenAi, Providers, providers_from_env};
use skill_agent::manifest::AgentDocs;
use skill_agent_http::is_local;
use std::env;
use std::path::Path;

/// The providers whose keys choose a model, and their models if the person names none.
const WITH_KEY: [(&str, &str); 2] = [("openai", "gpt-5-mini"), ("anthropic", "claude-sonnet-4-5")];

/// Chooses a model: of `--agent`, of `--url`, of `--provider`, of a provider whose key is set, or of a server on this machine.
/// Returns `None` without any of them.
pub(crate) async fn choose(args: &ModelArgs) -> Result<Option<Model>, Failure> {
    if args.no_model {
        return Ok(None);
    }
    if let Some(agent) = &args.agent {
        return of_agent(agent, &args.agents).map(Some);
    }
    if let Some(url) = &args.url {
        return at_url(url, args.model.clone()).await.map(Some);
    }
    let providers = providers_from_env();
    let model = |provider: &str| of_provider(&providers, provider, args.model.as_deref());
    if let Some(provider) = &args.provider {
        return model(provider).map(Some);
    }
    let url = env::var("OPENAI_BASE_URL").ok();
    if let Some(url) = url.filter(|url| !url.trim().is_empty()) {
        return at_url(&url, args.model.clone()).await.map(Some);
    }
    if let Some(model) = WITH_KEY
        .iter()
        .find_map(|(provider, _)| model(provider).ok())
    {
        return Ok(Some(model));
    }
    let mut servers = servers().await.into_iter();
    Ok(servers.next().map(|server| on_this_machine(server, args)))
}

/// Returns the model and the system text of an AGENT.md file.
fn of_agent(agent: &str, folder: &Path) -> Result<Model, Failure> {
    let doc = AgentDocs::load(folder)?.get(agent)?.clone();
    let (providers, name) = (providers_from_env(), format!("that of the agent `{agent}`"));
    Ok(Model::with_chat(name, doc.allow_skills, move |toolbox| {
        Chat::from_doc(&doc, toolbox, &providers)
    }))
}

fn of_provider(
    providers: &Providers,
    provider: &str,
    name: Option<&str>,
) -> Result<Model, Failure> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(provider.trim());
    let mut usual = WITH_KEY.iter().filter(|(known, _)| is_it(known));
    let usual = usual.next().map(|(_, model)| *model);
    let Some(name) = name.or(usual) else {
        // an unknown provider is the first mistake
        providers.model(provider, provider)?;
        return Err(Failure::NoModelName);
    };
    Ok(Model::new(providers.model(provider, name)?, name))
}

/// The server may need the key of OpenAI, as a proxy of a company does. Nobody else on the way reads it.
async fn at_url(url: &str, name: Option<String>) -> Result<Model, Failure> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(Failure::NoScheme(url.to_owned()));
    }
    let parsed = Url::parse(url).ok();
    let is_safe = |url: &Url| url.scheme() == "https" || is_local(url);
    let key = env::var("OPENAI_API_KEY").ok();
    let key = key.filter(|_| parsed.as_ref().is_some_and(is_safe));
    let key = key.unwrap_or_default();
    let name = match name {
        Some(name) => name,
        None => {
            let mut models = models_of(url, &key).await?.into_iter();
            let first = models.next();
            first.ok_or_else(|| Failure::NoModelAt(url.to_owned()))?
        }
    };
    let host = parsed.as_ref().and_then(Url::host_str).unwrap_or(url);
    let port = parsed.as_ref().and_then(Url::port);
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let shown = format!("{name} at {host}{port}");
    Ok(Model::new(OpenAi::new(key, &*name).base_url(url), shown))
}

fn on_this_machine(server: LocalServer, args: &ModelArgs) -> Model {
    let LocalServer {
        program,
        url,
        model,
    } = server;
    let name = args.model.clone().unwrap_or(model);
    let shown = format!("{name} of {program} on this machine ({url})");
    Model::new(OpenAi::new("", &*name).base_url(url), shown)
}
