//! An address at which a server over HTTP listens.

use std::fmt::Debug;
use tokio::net::ToSocketAddrs;

/// A host and a port, such as `"127.0.0.1:4000"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an address",
    label = "not a host and a port",
    note = "write a host and a port, such as `\"127.0.0.1:4000\"` or `(\"127.0.0.1\", 4000)`"
)]
pub trait Address: ToSocketAddrs + Debug + Send {}

// without this attribute, rustc shows the bounds of the impl instead of the message
#[diagnostic::do_not_recommend]
impl<T: ToSocketAddrs + Debug + Send> Address for T {}
