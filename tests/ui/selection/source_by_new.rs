// The source of a catalog is made by `new`.
// Text of rustc, `E0599`: docs/catalogs.md has the cure.
use skill_agent::manifest::{Catalog, Dialect, Source};

fn load() -> Catalog {
    Catalog::builder(Dialect::AGENT_SKILLS).source(Source::new("skills")).load()
}

fn main() {}
