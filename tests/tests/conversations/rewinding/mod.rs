//! Turns that are taken back and brought back, and conversations that are forked.

mod approvals;
mod basics;
mod bounds;
mod changes;
mod compactions;
mod desk;
mod effects;
mod forks;
mod kills;
mod mistakes;
mod races;
mod restarts;
