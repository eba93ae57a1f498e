//! Token counts and their cost.

use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// The tokens used by requests, usually as counted by the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// The number of tokens in the requests, including cached ones.
    pub input: u64,
    /// The number of tokens in the completions, including reasoning.
    pub output: u64,
    /// The number of input tokens read from the cache, included in `input`.
    pub cached: u64,
    /// The number of input tokens written to the cache, included in `input`.
    pub cache_writes: u64,
    /// The number of reasoning tokens, included in `output`.
    pub reasoning: u64,
}

impl Usage {
    /// Creates the usage of a request and its completion.
    pub fn new(input: u64, output: u64) -> Self {
        Self {
            input,
            output,
            ..Self::default()
        }
    }

    /// Returns the total number of tokens in requests and completions.
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Returns the cost at the given prices, in their currency.
    ///
    /// ```
    /// use skill_agent::chat::{Prices, Usage};
    ///
    /// let mut usage = Usage::new(1_000_000, 100_000);
    /// (usage.cached, usage.cache_writes) = (700_000, 100_000);
    /// let prices = Prices { input: 3.0, cached: 0.3, cache_writes: 3.75, output: 15.0 };
    /// let cost = 0.2 * 3.0 + 0.7 * 0.3 + 0.1 * 3.75 + 0.1 * 15.0;
    /// assert!((usage.cost(prices) - cost).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn cost(self, prices: Prices) -> f64 {
        let cached = self.cached.min(self.input);
        let written = self.cache_writes.min(self.input - cached);
        let plain = self.input - cached - written;
        let of = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        of(plain, prices.input)
            + of(cached, prices.cached)
            + of(written, prices.cache_writes)
            + of(self.output, prices.output)
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
            cache_writes: self.cache_writes.saturating_add(other.cache_writes),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::default(), Add::add)
    }
}

/// Prices per million tokens, in any currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// The price of uncached input tokens.
    pub input: f64,
    /// The price of input tokens read from a cache.
    pub cached: f64,
    /// The price of input tokens written to a cache.
    pub cache_writes: f64,
    /// The price of output tokens.
    pub output: f64,
}
