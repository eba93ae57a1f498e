// A server over HTTP is bound to a port without a host.
// Text of ours.
use skill_agent::mcp::{self, BindError, BoundHttp};
use skill_agent::toolbox::Toolbox;

async fn bind(toolbox: Toolbox) -> Result<BoundHttp, BindError> {
    mcp::http(toolbox).bind(4000).await
}

fn main() {}
