//! The options of a server.

/// The name, version and instructions of an MCP server, and its secret.
///
/// ```
/// use skill_agent::mcp::Options;
/// let options = Options::new().name("office").version("2.1.0").instructions("Letters and invoices.");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) secret: Option<Vec<u8>>,
}

impl Options {
    /// Creates options with the agent's name, version and instructions. A toolbox with several servers has the name `toolbox`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the server's name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the server's version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Sets the server's instructions for the model, in place of the instructions of the skills.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets the secret that seals the calls for which a person is asked. With the same secret, a call that was asked about before a
    /// restart, or by another process, can be decided.
    ///
    /// A server with a store remembers its decisions. Tools of other sources need an
    /// [approval secret of the toolbox](skill_agent_toolbox::ToolboxBuilder::approval_secret) too, and their decisions are forgotten
    /// at a restart.
    ///
    /// Defaults to a random secret. [`Handler::with_options`](super::Handler::with_options) fails if the secret has less than 32 bytes.
    #[must_use]
    pub fn approval_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.secret = Some(secret.into());
        self
    }
}

/// The error of [`Handler::with_options`](super::Handler::with_options).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The secret is too short.
    #[error("the approval secret has {bytes} bytes, and needs at least 32")]
    #[non_exhaustive]
    ApprovalSecret {
        /// The length of the secret.
        bytes: usize,
    },
}
