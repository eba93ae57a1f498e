// A source of tools does not implement `ToolSource`.
// Text of ours.
use skill_agent::toolbox::{Toolbox, ToolboxError};

struct Clock;

async fn build() -> Result<Toolbox, ToolboxError> {
    Toolbox::builder().source("clock", Clock).build().await
}

fn main() {}
