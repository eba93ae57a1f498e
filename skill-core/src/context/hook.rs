//! The hooks that can change state.

/// A hook that can change state. The default implementations record theirs in the context, which tells the caller that the
/// state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    Mount,
    Prepare,
    Handle,
    Transform,
}
