//! [`Route`]: the signals that run an action.

use super::{Pattern, PatternError};
use skill_agent_grammar as grammar;
use std::borrow::Cow;

/// Explains why a [`Route`] is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteError {
    /// The pattern is invalid.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The priority is out of range.
    #[error("a priority is a whole number from -100 to 100, and {priority} is not")]
    #[non_exhaustive]
    Priority {
        /// The invalid priority.
        priority: i64,
    },
}

/// An action's route: the pattern of the signals that run the action, and a priority among the routes that match a signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[non_exhaustive]
pub struct Route {
    /// The pattern: segments separated by `.`, where `*` matches one segment and `**` zero or more.
    pub pattern: Cow<'static, str>,
    /// The priority, -100..=100. Among routes of the same complexity, the highest priority comes first.
    pub priority: i8,
    /// Whether data fields that are not arguments of the action are dropped. Otherwise they are an error.
    pub lenient: bool,
}

impl Route {
    /// Creates a route with priority 0.
    ///
    /// # Panics
    /// Panics if the pattern is invalid. In a `const`, that is a compile error.
    #[track_caller]
    pub const fn new(pattern: &'static str) -> Self {
        assert!(
            grammar::is_pattern(pattern),
            "a signal pattern is written like `order.*.paid` or `order.**`"
        );
        Self {
            pattern: Cow::Borrowed(pattern),
            priority: 0,
            lenient: false,
        }
    }

    /// Creates a route that is only known at run time, for example from a configuration.
    ///
    /// ```
    /// use skill_core::Route;
    /// assert_eq!(Route::parse("order.*.paid", -5), Ok(Route::new("order.*.paid").priority(-5)));
    /// let error = Route::parse("order.*.paid", 101).unwrap_err();
    /// assert_eq!(error.to_string(), "a priority is a whole number from -100 to 100, and 101 is not");
    /// ```
    ///
    /// # Errors
    /// Fails if the pattern is invalid or the priority is not in -100..=100.
    pub fn parse(pattern: &str, priority: impl Into<i64>) -> Result<Self, RouteError> {
        let priority = priority.into();
        let pattern = Pattern::parse(pattern)?;
        match i8::try_from(priority) {
            Ok(priority @ -100..=100) => Ok(Self {
                pattern: pattern.into_text(),
                priority,
                lenient: false,
            }),
            _ => Err(RouteError::Priority { priority }),
        }
    }

    /// Sets the priority, -100..=100.
    ///
    /// # Panics
    /// Panics if the priority is out of range.
    #[must_use]
    #[track_caller]
    pub const fn priority(mut self, priority: i8) -> Self {
        assert!(
            priority >= -100 && priority <= 100,
            "a priority is a whole number from -100 to 100"
        );
        self.priority = priority;
        self
    }

    /// Accepts signals with additional data fields. Fields that are not arguments of the action are dropped.
    ///
    /// ```
    /// use skill_core::Route;
    /// assert!(Route::new("order.*.paid").lenient().lenient);
    /// ```
    #[must_use]
    pub const fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Returns the pattern as a string. Usable in const evaluation.
    pub(crate) const fn pattern_str(&self) -> &str {
        match &self.pattern {
            Cow::Borrowed(text) => text,
            Cow::Owned(_) => "",
        }
    }
}
