//! The hooks of a skill by name.

/// The hooks that may change something, by name. The defaults put theirs down in the context, so that what they leave as it
/// was is not taken for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    Mount,
    Prepare,
    Handle,
    Transform,
}
