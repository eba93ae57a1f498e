//! The tokio runtime of a connection.

use super::ConnectError;
use skill_core::process::catch;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;
use tokio::runtime::Handle;

/// Returns an error outside of a tokio runtime, and in one without a timer.
pub(super) fn check_runtime() -> Result<(), ConnectError> {
    if Handle::try_current().is_err() {
        return Err(ConnectError::NoRuntime);
    }
    // tokio cannot be asked whether there is a timer; without one, `sleep` or its first poll panics
    let polled = catch(|| {
        let sleep = pin!(tokio::time::sleep(Duration::ZERO));
        let _ = sleep.poll(&mut Context::from_waker(Waker::noop()));
    });
    polled.map_err(|_| ConnectError::NoTimer)
}

/// Returns an error in a runtime that cannot talk to a program. Without the check, a program would start before tokio panics.
pub(super) fn check_io() -> Result<(), ConnectError> {
    #[cfg(unix)]
    catch(|| drop(tokio::net::unix::pipe::pipe())).map_err(|_| ConnectError::NoIo)?;
    Ok(())
}
