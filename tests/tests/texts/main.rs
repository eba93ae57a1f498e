//! Texts that name tools: references in the instructions of skills, and words in backticks in documents.

mod documents;
mod mounted;
mod references;
mod server_start;
mod skills;
