//! Examples of the documents that the library follows, translated line by line.

pub mod enable_disable;
pub mod mounting;
pub mod schemas;
