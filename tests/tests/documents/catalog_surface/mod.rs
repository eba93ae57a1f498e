//! The parts of a catalog for models and people: the tool `skill`, the block for a prompt, and commands.

mod support;

mod commands;
mod files;
mod injection;
mod invocation;
mod lines;
mod prompt;
mod shadows;
mod tool;
mod tool_access;
mod wrong_lines;
