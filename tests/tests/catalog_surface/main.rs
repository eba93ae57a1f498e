//! What a catalog gives to models and to people: the tool `skill`, the block for a prompt, commands.

#[path = "../common/mod.rs"]
mod common;
mod support;

mod commands;
mod lines;
mod prompt;
mod shadows;
mod tool;
mod wrong_lines;
