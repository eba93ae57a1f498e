// The future that starts a server is not awaited before the `?`.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
    }
}

async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let server = AgentServer::builder(Clerk::new()).start()?;
    let _ = server;
    Ok(())
}

fn main() {
    let _ = serve();
}
