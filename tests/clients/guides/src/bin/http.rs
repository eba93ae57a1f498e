//! Asks Gemini over plain HTTP. `GEMINI_BASE_URL` is `https://generativelanguage.googleapis.com/v1beta`.

use client_guides::Assistant;
use serde_json::json;
use skill_agent::models::{Finish, Provider, ToolsJson, gemini};
use skill_agent::prelude::*;
use std::env;
use std::error::Error;

async fn ask(agent: &mut Assistant, question: &str) -> Result<String, Box<dyn Error>> {
    let client = reqwest::Client::new();
    let url = env::var("GEMINI_BASE_URL")? + "/models/gemini-2.5-flash:generateContent";
    let tools = Assistant::tools_json(Provider::GEMINI)?;
    let mut contents = vec![json!({ "role": "user", "parts": [{ "text": question }] }).to_string()];
    loop {
        let list = contents.join(",");
        let body =
            format!(r#"{{"contents":[{list}],"tools":[{{"functionDeclarations":{tools}}}]}}"#);
        let request = client
            .post(&url)
            .header("x-goog-api-key", env::var("GEMINI_API_KEY")?);
        let request = request
            .header("content-type", "application/json")
            .body(body);
        let completion = gemini::read(&request.send().await?.text().await?)?;
        match completion.finish {
            Finish::Calls => {}
            Finish::Answered => return Ok(completion.text()),
            other => return Err(format!("the model did not answer: {other:?}").into()),
        }
        let results = completion.calls().map(|call| {
            let called = agent.call_json(&call.name, &call.arguments);
            call.result(called.map(|called| called.output))
        });
        let results = gemini::results(&results.collect::<Vec<_>>());
        contents.extend(completion.messages.into_iter().chain(results));
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{}",
        ask(&mut Assistant::new(), "Remember to buy milk.").await?
    );
    Ok(())
}
