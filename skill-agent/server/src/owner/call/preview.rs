//! Previews of actions.

use crate::error::ServeError;
use crate::guard::ApprovalRequest;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::check_condition;
use crate::owner::call::arguments::Arguments;
use crate::panics::{catch, drop_caught};
use crate::preview::{Preview, PreviewError};
use skill_core::Agent;
use skill_core::process::{self, Input, ResolvedAction, Transaction, full_text};

impl<G: Agent> Owner<G> {
    /// Responds with an action's preview, once the state that it shows is recorded.
    pub(crate) fn preview(
        &mut self,
        action: String,
        arguments: Arguments,
        responder: Responder<Preview, PreviewError>,
    ) {
        let is_typed = matches!(arguments, Arguments::Read(_));
        self.when_recorded(move |owner, unusable| {
            if !responder.is_wanted() {
                return;
            }
            if let Some(error) = unusable {
                return responder.respond(Err(owner.failed(ServeError::store_before(error))));
            }
            let preview = process::resolve(&owner.agent, &action)
                .map_err(|error| ServeError::Action(error.into()))
                .and_then(|at| {
                    if at.spec.internal && !is_typed {
                        let error = process::internal(at.spec);
                        return Err(ServeError::Action(error.into()));
                    }
                    if !is_typed {
                        let checked = check_condition(&owner.agent, at);
                        checked.map_err(|error| error.map(PreviewError::from))?;
                    }
                    Ok(at)
                })
                .and_then(|at| arguments.with(|input| owner.preview_of(at, input)));
            responder.respond(preview.map_err(|error| owner.failed(error)));
        });
    }

    /// Returns the preview for an approver, or the reason that it is missing.
    pub(crate) fn preview_request(&mut self, request: &ApprovalRequest) -> Result<Preview, String> {
        let at = process::resolve(&self.agent, &request.tool.name);
        let at = at.map_err(|error| full_text(&error))?;
        let preview = self.preview_of(at, Input::Value(&request.arguments));
        preview.map_err(|error| full_text(&error))
    }

    fn preview_of(
        &mut self,
        at: ResolvedAction,
        input: Input<'_>,
    ) -> Result<Preview, ServeError<PreviewError>> {
        if at.is_async() {
            drop_caught(input);
            let action = at.spec.name;
            return Err(ServeError::Action(PreviewError::Async { action }));
        }
        let meta = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let preview = catch(|| {
            let before = transaction.agent().state_value()?;
            let output = transaction.call(at, input, Some(&meta))?;
            let output = process::as_value(at.spec.name, &output)?;
            let after = transaction.agent().state_value()?;
            let directives = std::mem::take(transaction.directives());
            Ok::<_, PreviewError>(Preview::new::<G>(output, &before, &after, directives))
        });
        // The end of the transaction undoes the action.
        match preview {
            Ok(preview) => preview.map_err(ServeError::Action),
            // the action or the code that reads the state panicked
            Err(message) => Err(ServeError::panicked(None, message)),
        }
    }
}
