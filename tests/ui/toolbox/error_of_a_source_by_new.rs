// The error of a source is made by `new`.
// Text of rustc, `E0599`: docs/toolbox.md has the cure.
use skill_agent::toolbox::SourceError;

fn offline() -> SourceError {
    SourceError::new("no network")
}

fn main() {}
