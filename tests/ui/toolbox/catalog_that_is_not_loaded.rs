// The builder of a catalog is given instead of a catalog.
// Text of ours.
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::toolbox::{Toolbox, ToolboxError};

async fn build() -> Result<Toolbox, ToolboxError> {
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(Source::project("skills"));
    Toolbox::builder().catalog(catalog).build().await
}

fn main() {}
