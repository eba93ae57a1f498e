//! The service over the loopback address.

mod browser;
mod client;
mod driver;
mod gated;
mod refused;
mod restart;
mod routes;
