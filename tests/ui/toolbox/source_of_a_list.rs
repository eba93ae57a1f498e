// A list of tools is given instead of a source.
// Text of ours.
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::toolbox::{Toolbox, ToolboxError};

async fn build() -> Result<Toolbox, ToolboxError> {
    let time = ToolBuf::new("time", "The time in a zone.", json!({ "type": "object" }));
    Toolbox::builder().source("clock", vec![time]).build().await
}

fn main() {}
