//! The unit of budgets.

/// Returns the estimated number of tokens of so many bytes of text: a quarter, rounded up. The models of each provider count
/// differently; budgets need a figure that is the same everywhere.
///
/// ```
/// use skill_agent::manifest::selection::tokens;
///
/// assert_eq!(tokens("Read it twice.".len()), 4);
/// ```
#[must_use]
pub const fn tokens(bytes: usize) -> usize {
    skill_core::process::tokens::tokens(bytes)
}
