//! Skills that come and go while the program runs.
//!
//! Run it with `cargo run --example mounted_skills`.

use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::worked::Assistant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
        match assistant.deliver(&signal)? {
            None => println!("  nobody handles it"),
            Some(directives) => directives
                .iter()
                .for_each(|it| carry_out(&mut assistant, it)),
        }
        println!("  state: {}", serde_json::to_string(assistant.state())?);
    }
    Ok(())
}

/// What a server does, in small: it runs what is to be run, and shows the rest.
fn carry_out(assistant: &mut Assistant, directive: &Directive) {
    match directive {
        Directive::Run(instruction) => match assistant.run(std::slice::from_ref(instruction)) {
            Ok(outcome) => println!("  {} gives {}", instruction.action, outcome.output[0]),
            Err(error) => println!("  {error}"),
        },
        Directive::RegisterAction { action, .. } => println!("  can {action} now"),
        Directive::Reply(reply) => {
            println!("  answers {} {}", reply.signal.ty(), reply.signal.data())
        }
        Directive::Error { message, .. } => println!("  refused: {message}"),
        other => println!("  {other:?}"),
    }
}
