//! Gives the terminal back, in the mode in which the program found it.

use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use std::io::{self, Write};
use std::panic;
use tokio::signal::unix::{SignalKind, signal};

/// The exit status of a program that SIGTERM ends, as a shell reports it.
const TERMINATED: i32 = 128 + 15;

/// Ends the paste mode of the line editor.
const NO_PASTE_MODE: &str = "\x1b[?2004l";
/// Begins the paste mode of the line editor.
const PASTE_MODE: &str = "\x1b[?2004h";

/// Gives the terminal back after a panic, before the program ends by a signal, and while it is stopped.
///
/// # Errors
/// Returns the error of the system if it does not report signals.
pub(super) fn watch() -> io::Result<()> {
    if !isatty(io::stdin()) {
        return Ok(());
    }
    let found = tcgetattr(io::stdin())?;
    let (mut terminate, mut hang_up) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::hangup())?,
    );
    let mut stop = signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?;
    let report = panic::take_hook();
    let before = found.clone();
    panic::set_hook(Box::new(move |panic| {
        give_back(&before);
        report(panic);
    }));
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = hang_up.recv() => break,
                _ = stop.recv() => while_stopped(&found, &mut stop).await,
            }
        }
        give_back(&found);
        std::process::exit(TERMINATED);
    });
    Ok(())
}

fn give_back(found: &Termios) {
    // nothing else can be done if the terminal is gone
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, found);
    show(NO_PASTE_MODE);
}

/// Stops the program. The line editor continues when the program does.
async fn while_stopped(found: &Termios, stop: &mut tokio::signal::unix::Signal) {
    let continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()));
    let (Ok(mut continued), mode) = (continued, tcgetattr(io::stdin())) else {
        return;
    };
    give_back(found);
    loop {
        let _ = kill_process(getpid(), Signal::STOP);
        // this thread may run on for a moment; a further stop can replace the signal to continue
        tokio::select! {
            _ = continued.recv() => break,
            _ = stop.recv() => {}
        }
    }
    let Ok(mode) = mode else { return };
    if !mode.local_modes.contains(LocalModes::ICANON) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &mode);
        show(PASTE_MODE);
        // the line editor draws its line again
        let _ = kill_process(getpid(), Signal::WINCH);
    }
}

fn show(code: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(code.as_bytes());
    let _ = out.flush();
}
