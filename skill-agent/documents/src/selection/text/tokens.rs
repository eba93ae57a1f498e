//! The unit of budgets: tokens.

/// Estimates the number of tokens in `bytes` bytes of text: a quarter, rounded up. Each provider's models count tokens
/// differently, but a budget needs one number for all of them.
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
