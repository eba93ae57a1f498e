//! The unit for budgets.

/// The number of bytes that count as one token.
const BYTES_PER_TOKEN: usize = 4;

/// Returns the estimated number of tokens in `bytes` bytes of text: a quarter, rounded up. Models count tokens differently, but
/// budgets need a number that is the same everywhere.
#[must_use]
pub const fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Returns the number of bytes of text that fit into `tokens` tokens.
#[must_use]
pub const fn bytes(tokens: usize) -> usize {
    tokens.saturating_mul(BYTES_PER_TOKEN)
}
