//! The skill `web`.
