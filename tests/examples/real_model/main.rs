//! Typed answers and calls of a real model behind a decoder that enforces schemas. For tests/clients/real_model.py.
//!
//! ```text
//! real_model BASE_URL MODEL [--native] [--tokens NUMBER] [--seed NUMBER] [--only WORD]
//! ```
//!
//! `--native` asks a chat-tuned model questions over the tools of two agents, without a schema, and counts the calls.
//!
//! The content is not judged: a small model says anything. All that the decoder let through must be read, unless the limit of
//! tokens has cut it. The program prints a line for each request, and fails if something was not read.

mod answers;
mod calls;
mod explained;
mod native;
mod table;
mod types;

#[path = "../../tests/common/argument_kinds.rs"]
mod kinds;

use skill_agent::chat::{ModelProfile, OpenAi, RequestOptions, Retries};
use skill_agent::models::Provider;
use std::error::Error;
use std::process::ExitCode;
use table::Table;

/// The most tokens of an answer. A small model goes on and on within a text.
const TOKENS: u32 = 200;

/// The model, and how it is asked.
pub struct Asked {
    model: OpenAi,
    options: RequestOptions,
    /// Only rows with this word are run.
    only: String,
}

impl Asked {
    fn model(&self, profile: ModelProfile) -> OpenAi {
        self.model.clone().with_profile(profile)
    }

    fn retries() -> Retries {
        Retries::none()
    }

    fn is_left_out(&self, row: &str) -> bool {
        !row.contains(&self.only)
    }
}

fn profile() -> ModelProfile {
    ModelProfile::new(Provider::OPENAI_CHAT)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("an argument is missing");
    let (url, name) = (next()?, next()?);
    let (mut tokens, mut seed, mut only) = (TOKENS, 1, String::new());
    let mut is_native = false;
    while let Ok(option) = next() {
        match option.as_str() {
            "--tokens" => tokens = next()?.parse()?,
            "--seed" => seed = next()?.parse()?,
            "--native" => is_native = true,
            "--only" => only = next()?,
            other => return Err(format!("there is no option `{other}`").into()),
        }
    }
    let asked = Asked {
        model: OpenAi::new("", name).base_url(url),
        options: RequestOptions::new()
            .max_tokens(tokens)
            .temperature(0.7)
            .extra("seed", seed),
        only,
    };
    if is_native {
        return native::ask(&asked).await;
    }
    let mut table = Table::default();
    answers::ask(&asked, &mut table).await?;
    calls::call(&asked, &mut table).await?;
    Ok(table.end(tokens))
}
