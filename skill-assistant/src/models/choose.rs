//! Chooses a model over HTTP.

use super::Model;
use super::local::{LocalServer, models_of, servers};
use crate::Failure;
use crate::args::{ModelArgs, ProviderName};
use skill_agent::chat::{Anthropic, OpenAi, OpenAiResponses};
use std::env;

/// The models that are used if the person names none.
const OPENAI_MODEL: &str = "gpt-5-mini";
const ANTHROPIC_MODEL: &str = "claude-sonnet-4-5";

/// Chooses a model: of `--url`, of `--provider`, of a provider whose key is set, or of a server on this machine. `None` if there is
/// none.
pub(crate) async fn choose(args: &ModelArgs) -> Result<Option<Model>, Failure> {
    if let Some(url) = &args.url {
        return at_url(url, args.model.clone()).await.map(Some);
    }
    let has_key = |provider: &ProviderName| key(*provider).is_some();
    let with_key = [ProviderName::Openai, ProviderName::Anthropic];
    let provider = args.provider.or_else(|| with_key.into_iter().find(has_key));
    if let Some(provider) = provider {
        return of_provider(provider, args.model.clone()).map(Some);
    }
    let mut servers = servers().await.into_iter();
    Ok(servers.next().map(|server| on_this_machine(server, args)))
}

fn key(provider: ProviderName) -> Option<String> {
    let key = env::var(variable(provider)).ok();
    key.filter(|key| !key.trim().is_empty())
}

fn variable(provider: ProviderName) -> &'static str {
    match provider {
        ProviderName::Openai => "OPENAI_API_KEY",
        ProviderName::Anthropic => "ANTHROPIC_API_KEY",
    }
}

fn of_provider(provider: ProviderName, name: Option<String>) -> Result<Model, Failure> {
    let key = key(provider).ok_or(Failure::NoKey(variable(provider)))?;
    Ok(match provider {
        ProviderName::Openai => {
            let name = name.unwrap_or_else(|| OPENAI_MODEL.to_owned());
            Model::new(OpenAiResponses::new(key, &*name), name)
        }
        ProviderName::Anthropic => {
            let name = name.unwrap_or_else(|| ANTHROPIC_MODEL.to_owned());
            Model::new(Anthropic::new(key, &*name), name)
        }
    })
}

/// The server may need the key of OpenAI, which a proxy of a company does.
async fn at_url(url: &str, name: Option<String>) -> Result<Model, Failure> {
    let name = match name {
        Some(name) => name,
        None => {
            let mut models = models_of(url).await?.into_iter();
            models
                .next()
                .ok_or_else(|| Failure::NoModelAt(url.to_owned()))?
        }
    };
    let key = key(ProviderName::Openai).unwrap_or_default();
    let model = OpenAi::new(key, &*name).base_url(url);
    Ok(Model::new(model, format!("{name} at {url}")))
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
