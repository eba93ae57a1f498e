//! Skills that are mounted and unmounted at run time.
//!
//! Run it with `cargo run -p skill-examples --example mounted_skills`.

use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::mountable::Assistant;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut assistant = Assistant::new();
    let signals = [
        Signal::new("increment", json!({})),
        Signal::new(
            "enable_skill",
            json!({ "skill": "counter", "options": { "step": 2 } }),
        ),
        Signal::new("increment", json!({})),
        Signal::new("get_count", json!({})),
        Signal::new("enable_skill", json!({ "skill": "authenticated_search" })),
        Signal::new("enable_skill", json!({ "skill": "arithmetic" })),
        Signal::new("calculate", json!({ "op": "divide", "a": 1, "b": 8 })),
        Signal::new("calculate", json!({ "op": "divide", "a": 1, "b": 0 })),
        Signal::new("disable_skill", json!({ "skill": "counter" })),
    ];
    for signal in signals {
        println!("{} {}", signal.ty(), signal.data());
        match assistant.deliver(&signal) {
            Ok(None) => println!("  no skill handles it"),
            Ok(Some(directives)) => directives
                .iter()
                .for_each(|directive| carry_out(&mut assistant, directive)),
            Err(error) => println!("  refused: {}", error.source().unwrap_or(&error)),
        }
        println!("  state: {}", serde_json::to_string(assistant.state())?);
    }
    Ok(())
}

/// Runs queued instructions and prints other directives. A server does this for its agent.
fn carry_out(assistant: &mut Assistant, directive: &Directive) {
    match directive {
        Directive::Run(instruction) => match assistant.run(std::slice::from_ref(instruction)) {
            Ok(outcome) => println!("  {} returns {}", instruction.action, outcome.output[0]),
            Err(error) => println!("  {error}"),
        },
        Directive::RegisterAction { action, .. } => println!("  new action: {action}"),
        Directive::Reply(reply) => {
            println!("  replies {} {}", reply.signal.ty(), reply.signal.data())
        }
        other => println!("  {other:?}"),
    }
}
