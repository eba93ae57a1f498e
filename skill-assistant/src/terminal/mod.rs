//! The terminal: lines that a person types, and a screen that scrolls.

mod complete;
mod give_back;
mod lines;
mod screen;

pub(crate) use complete::Known;
pub(crate) use lines::{Kept, Line, Lines};
pub(crate) use screen::{Screen, Style, printable};
