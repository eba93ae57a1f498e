//! Gives the terminal back, in the mode in which the program found it.

use nix::sys::signal::{Signal, raise};
use rustix::termios::{LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcsetattr};
use std::io::{self, Write};
use std::panic;
use tokio::signal::unix::{SignalKind, signal};

/// The exit status of a program that a signal ends, as a shell reports it, without the number of the signal.
const ENDED_BY_SIGNAL: i32 = 128;

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
    let mut stop = signal(SignalKind::from_raw(Signal::SIGTSTP as i32))?;
    let report = panic::take_hook();
    let before = found.clone();
    panic::set_hook(Box::new(move |panic| {
        give_back(&before);
        report(panic);
    }));
    tokio::spawn(async move {
        let signal = loop {
            tokio::select! {
                _ = terminate.recv() => break Signal::SIGTERM,
                _ = hang_up.recv() => break Signal::SIGHUP,
                _ = stop.recv() => while_stopped(&found),
            }
        };
        give_back(&found);
        std::process::exit(ENDED_BY_SIGNAL + signal as i32);
    });
    Ok(())
}

fn give_back(found: &Termios) {
    // nothing else can be done if the terminal is gone
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, found);
    show(NO_PASTE_MODE);
}

/// Stops the program. The line editor continues when the program does.
fn while_stopped(found: &Termios) {
    let mode = tcgetattr(io::stdin());
    give_back(found);
    // a signal to this thread alone stops all of them before the next statement
    let _ = raise(Signal::SIGSTOP);
    let Ok(mode) = mode else { return };
    if !mode.local_modes.contains(LocalModes::ICANON) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &mode);
        show(PASTE_MODE);
        // the line editor draws its line again
        let _ = raise(Signal::SIGWINCH);
    }
}

fn show(code: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(code.as_bytes());
    let _ = out.flush();
}
