//! The hooks that can change state.

/// A hook that can change state. Each default implementation records its hook in the context, which tells the caller that the
/// state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    Mount,
    Prepare,
    Handle,
    Transform,
}
