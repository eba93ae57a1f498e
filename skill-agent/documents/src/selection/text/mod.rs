//! Words and terms of requests and documents.

pub(crate) mod literal;
pub(crate) mod stop_words;
pub(crate) mod terms;
pub(crate) mod tokens;
pub(crate) mod words;
