//! The unit of budgets.

/// The number of bytes that count as one token.
const BYTES_PER_TOKEN: usize = 4;

/// Returns the estimated number of tokens of so many bytes of text: a quarter, rounded up. The models of each provider count
/// differently; budgets need a figure that is the same everywhere.
#[must_use]
pub const fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Returns the bytes of text within so many tokens.
#[must_use]
pub const fn bytes(tokens: usize) -> usize {
    tokens.saturating_mul(BYTES_PER_TOKEN)
}
