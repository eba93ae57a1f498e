//! Examples of the documents that the library follows, translated line by line.

pub mod enable_disable;
pub mod handle_signal;
pub mod mounting;
pub mod own_tools;
pub mod schemas;
