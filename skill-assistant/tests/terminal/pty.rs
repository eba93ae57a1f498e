//! The program in a pseudo terminal.

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, WaitOptions, ioctl_tiocsctty, kill_process, setsid, waitpid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use vt100::Parser;

/// Less than the time limit of a test, so that a failure shows the screen.
const LIMIT: Duration = Duration::from_secs(50);

/// The lines that the terminal keeps above its screen.
const SCROLLBACK: usize = 20_000;

/// The program in a terminal of 24 lines and 80 columns.
pub(crate) struct Terminal {
    child: Child,
    controller: File,
    /// The program's side, whose modes a test can read.
    terminal: OwnedFd,
    screen: Arc<(Mutex<Shown>, Condvar)>,
}

struct Shown {
    parser: Parser,
    /// Whether the program has closed the terminal.
    is_closed: bool,
}

/// Returns the program, with its data below a folder, and without the keys of the person who runs the test.
pub(crate) fn program(folder: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_skill-assistant"));
    program.env("XDG_DATA_HOME", folder);
    program.current_dir(folder);
    for name in [
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "ANTHROPIC_API_KEY",
        "NO_COLOR",
    ] {
        program.env_remove(name);
    }
    program.env("TERM", "xterm-256color");
    program
}

/// Returns the program without a model.
pub(crate) fn without_model(folder: &Path) -> Command {
    let mut program = program(folder);
    program.arg("--no-model");
    program
}

impl Terminal {
    pub(crate) fn start(program: Command) -> Self {
        Self::start_with_size(program, 24, 80)
    }

    pub(crate) fn start_with_size(program: Command, rows: u16, columns: u16) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap();
        let terminal = open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        set_size(&controller, rows, columns);
        let this = Self {
            child: spawn(program, &terminal),
            controller: File::from(controller),
            terminal,
            screen: Arc::new((
                Mutex::new(Shown {
                    parser: Parser::new(size(rows), size(columns), SCROLLBACK),
                    is_closed: false,
                }),
                Condvar::new(),
            )),
        };
        let (mut output, screen) = (this.controller.try_clone().unwrap(), this.screen.clone());
        thread::spawn(move || {
            let mut bytes = [0; 1 << 16];
            loop {
                let read = output.read(&mut bytes).unwrap_or(0);
                let mut shown = screen.0.lock().unwrap();
                shown.parser.process(&bytes[..read]);
                shown.is_closed = read == 0;
                screen.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        this
    }

    pub(crate) fn resize(&mut self, rows: u16, columns: u16) {
        set_size(&self.controller, rows, columns);
        let mut shown = self.screen.0.lock().unwrap();
        shown
            .parser
            .screen_mut()
            .set_size(size(rows), size(columns));
    }

    /// Types a text, in which `\r` is the key Enter.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.controller.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |contents| contents.contains(text));
    }

    /// Waits until the last line of the screen with text is this one.
    pub(crate) fn wait_for_last(&self, line: &str) {
        self.wait_until(line, |contents| {
            let last = contents.lines().rev().find(|line| !line.trim().is_empty());
            last.is_some_and(|last| last.trim_end() == line.trim_end())
        });
    }

    /// Waits until the contents of the screen are as wanted.
    pub(crate) fn wait_until(&self, wanted: &str, is_it: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + LIMIT;
        let mut shown = self.screen.0.lock().unwrap();
        loop {
            let contents = shown.parser.screen().contents();
            if is_it(&contents) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !shown.is_closed,
                "the screen does not show {wanted:?}:\n{contents}"
            );
            shown = self.screen.1.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Returns the contents of the screen now.
    pub(crate) fn contents(&self) -> String {
        self.screen.0.lock().unwrap().parser.screen().contents()
    }

    /// Returns the lines above the screen, the oldest first, and then the screen.
    pub(crate) fn scrollback(&self) -> Vec<String> {
        let mut shown = self.screen.0.lock().unwrap();
        let screen = shown.parser.screen_mut();
        screen.set_scrollback(SCROLLBACK);
        let above = screen.scrollback();
        let columns = screen.size().1.get();
        let mut lines = Vec::new();
        for offset in (1..=above).rev() {
            screen.set_scrollback(offset);
            lines.extend(screen.rows(0, columns).next());
        }
        screen.set_scrollback(0);
        lines.extend(screen.rows(0, columns));
        lines
    }

    /// Returns whether the terminal reads whole lines, as a shell needs it.
    pub(crate) fn is_given_back(&self) -> bool {
        let modes = tcgetattr(&self.terminal).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Waits until the program has stopped.
    pub(crate) fn wait_for_stop(&self) {
        let (_, status) = waitpid(Some(self.pid()), WaitOptions::UNTRACED)
            .unwrap()
            .unwrap();
        assert!(status.stopped(), "{status:?}");
    }

    /// Waits for the end of the program, and returns its exit code.
    pub(crate) fn wait_for_end(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // it has ended, or its test has failed
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_size(controller: &impl AsFd, rows: u16, columns: u16) {
    let winsize = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(controller, winsize).unwrap();
}

fn size(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

fn spawn(mut program: Command, terminal: &OwnedFd) -> Child {
    let side = || Stdio::from(terminal.try_clone().unwrap());
    program.stdin(side()).stdout(side()).stderr(side());
    let controlling = terminal.try_clone().unwrap();
    // SAFETY: between `fork` and `exec`, the function makes two system calls, and allocates nothing.
    unsafe {
        program.pre_exec(move || {
            setsid()?;
            ioctl_tiocsctty(&controlling)?;
            Ok(())
        });
    }
    program.spawn().unwrap()
}
