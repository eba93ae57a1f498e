// The builder of a toolbox is served.
// Text of ours.
use skill_agent::mcp::{self, ServeMcpError};
use skill_agent::toolbox::Toolbox;

async fn serve() -> Result<(), ServeMcpError> {
    mcp::stdio(Toolbox::builder()).await
}

fn main() {}
