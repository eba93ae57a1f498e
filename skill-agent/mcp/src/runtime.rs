//! The tokio runtime of a connection.

use skill_agent_server::__private::CaughtClock;
use skill_agent_server::clock::SystemClock;
#[cfg(unix)]
use skill_core::process::catch;
use std::sync::Arc;
use tokio::runtime::Handle;

/// A connection lacks a tokio runtime, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// There is no runtime.
    #[error("MCP runs on tokio: do this inside a runtime, as `#[tokio::main]` makes one")]
    NoRuntime,
    /// The runtime has no timer.
    #[error(
        "the tokio runtime has no timer, which MCP needs; build the runtime with `enable_all()`"
    )]
    NoTimer,
    /// The runtime has no I/O.
    #[error("the tokio runtime has no I/O, which MCP needs; build the runtime with `enable_all()`")]
    NoIo,
}

/// Returns an error outside of a tokio runtime, and in one without a timer.
pub(crate) fn check() -> Result<(), RuntimeError> {
    if Handle::try_current().is_err() {
        return Err(RuntimeError::NoRuntime);
    }
    if CaughtClock(Arc::new(SystemClock)).can_sleep() {
        Ok(())
    } else {
        Err(RuntimeError::NoTimer)
    }
}

/// Returns an error in a runtime that cannot talk to a program. Without the check, a program would start before tokio panics.
pub(crate) fn check_io() -> Result<(), RuntimeError> {
    #[cfg(unix)]
    catch(|| drop(tokio::net::unix::pipe::pipe())).map_err(|_| RuntimeError::NoIo)?;
    Ok(())
}
