//! What several tests share: an agent to give commands to, actions with every kind of argument, and JSON that is nearly right.
#![allow(dead_code)] // every test uses a part of it

pub mod bank;
pub mod deep;
pub mod desk;
pub mod drawer;
pub mod effects;
pub mod filled;
pub mod forms;
pub mod house;
pub mod judge;
pub mod mutation;
pub mod notes;
pub mod oracle;
pub mod refusal;
pub mod shelf;
pub mod shelf_model;
