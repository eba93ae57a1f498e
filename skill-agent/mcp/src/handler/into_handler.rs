//! Toolboxes and handlers for a server.

use super::Handler;
use skill_agent_toolbox::Toolbox;

/// A [`Toolbox`], or a [`Handler`] with options of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolbox",
    label = "not a `Toolbox`",
    note = "write `Toolbox::of(&server)`, or `Toolbox::builder()` with its sources and `.build().await?`"
)]
pub trait IntoHandler {
    #[doc(hidden)]
    fn into_handler(self) -> Handler;
}

// without this attribute, rustc shows the bound of the impl instead of the message
#[diagnostic::do_not_recommend]
impl<T: Into<Handler>> IntoHandler for T {
    fn into_handler(self) -> Handler {
        self.into()
    }
}

impl From<Toolbox> for Handler {
    fn from(toolbox: Toolbox) -> Self {
        Self::new(toolbox)
    }
}
