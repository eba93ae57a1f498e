//! The program `skills`, run as its users run it.

mod catalog;
mod check;
mod corpus;
mod explain;
mod new;
mod reference;
mod show;
mod support;
mod validate;
mod walking;
