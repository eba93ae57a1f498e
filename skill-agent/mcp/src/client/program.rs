//! MCP servers that are programs, over their standard input and output.

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::{AsyncRwTransport, DEFAULT_MAX_LINE_LENGTH};
use std::io;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex, Notify};
use tokio::time::timeout;

/// The length at which a line ends the connection, because it may have no end.
const ENDLESS: usize = 16 * DEFAULT_MAX_LINE_LENGTH;
/// How long a program may take to end, before the signal and again before the kill.
const END_TIME: Duration = Duration::from_secs(3);

/// A program that runs. rmcp's own transport for programs drops a line that is too long without a notice.
pub(super) struct Program {
    child: Child,
    messages: AsyncRwTransport<RoleClient, Lines<ChildStdout>, ChildStdin>,
}

impl Program {
    /// Starts the program. `too_long` is notified of each line that is too long.
    pub(super) fn start(mut command: Command, too_long: Arc<Notify>) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the program that starts it, which may only cancel a turn
        #[cfg(unix)]
        command.process_group(0);
        let mut child = CommandWrap::from(command).spawn()?;
        let missing = || io::Error::other("the program has no standard input or output");
        let stdin = child.stdin().take().ok_or_else(missing)?;
        let stdout = child.stdout().take().ok_or_else(missing)?;
        let lines = Lines::new(stdout, too_long);
        Ok(Self {
            child: Child(Arc::new(Mutex::new(child))),
            messages: AsyncRwTransport::new(lines, stdin),
        })
    }

    /// Returns the process of the program.
    pub(super) fn child(&self) -> Child {
        self.child.clone()
    }
}

/// The process of a program, which is killed when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Child(Arc<Mutex<Box<dyn ChildWrapper>>>);

impl Child {
    /// Waits a short time for the end of the program. Returns how it ended.
    pub(super) async fn ended(&self) -> Option<io::Result<ExitStatus>> {
        let mut child = self.0.lock().await;
        timeout(END_TIME, child.wait()).await.ok()
    }
}

impl Transport<RoleClient> for Program {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.messages.send(message)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.messages.receive()
    }

    /// Closes the program's standard input. If the program does not end, sends `SIGTERM` where there are signals, and kills it.
    async fn close(&mut self) -> io::Result<()> {
        self.messages.close().await?;
        if self.child.ended().await.is_some() {
            return Ok(());
        }
        #[cfg(unix)]
        {
            const SIGTERM: i32 = 15;
            self.child.0.lock().await.signal(SIGTERM)?;
            if self.child.ended().await.is_some() {
                return Ok(());
            }
        }
        Box::into_pin(self.child.0.lock().await.kill()).await
    }
}

/// A reader that notices lines that are too long. rmcp drops them, so that the calls that wait for them have to be told.
struct Lines<R> {
    reader: R,
    /// The length of the line so far.
    length: usize,
    too_long: Arc<Notify>,
}

impl<R> Lines<R> {
    fn new(reader: R, too_long: Arc<Notify>) -> Self {
        Self {
            reader,
            length: 0,
            too_long,
        }
    }

    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let before = self.length;
            self.length += line.len();
            if before <= DEFAULT_MAX_LINE_LENGTH && self.length > DEFAULT_MAX_LINE_LENGTH {
                self.too_long.notify_waiters();
            }
            if self.length > ENDLESS {
                return Err(io::Error::other("a line has no end"));
            }
            if line.ends_with(b"\n") {
                self.length = 0;
            }
        }
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(cx, buffer))?;
        Poll::Ready(self.take(&buffer.filled()[before..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{copy, repeat, sink};

    #[tokio::test]
    async fn a_line_without_end_ends_the_connection() {
        let mut lines = Lines::new(repeat(b'x'), Arc::default());
        let error = copy(&mut lines, &mut sink()).await.unwrap_err();
        assert_eq!(error.to_string(), "a line has no end");
    }

    #[tokio::test]
    async fn many_long_lines_are_read() {
        let line = vec![b'x'; DEFAULT_MAX_LINE_LENGTH + 1];
        let mut lines = Lines::new(
            io::Cursor::new([line, vec![b'\n']].concat().repeat(17)),
            Arc::default(),
        );
        let read = copy(&mut lines, &mut sink()).await.unwrap();
        assert!(read > ENDLESS as u64);
    }
}
