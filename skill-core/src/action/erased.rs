//! A type-erased action whose arguments have been read.

use crate::bounds::ActionArguments;
use serde_json::Value;
use skill_agent_schema::WriteError;
use std::any::Any;
use std::fmt;

/// A type-erased action whose arguments have been read and completed with their defaults.
pub struct ErasedAction {
    action: Box<dyn Any + Send>,
    to_value: fn(&dyn Any) -> Result<Value, WriteError>,
}

impl ErasedAction {
    pub(crate) fn new<A: ActionArguments>(action: A) -> Self {
        Self {
            action: Box::new(action),
            to_value: |action| {
                let action: Option<&A> = action.downcast_ref();
                let action = action.expect("the function was made for the type of the action");
                action.__to_value()
            },
        }
    }

    /// Returns a reference to the action's struct.
    pub fn as_any(&self) -> &dyn Any {
        &*self.action
    }

    /// Returns the action's struct.
    pub fn into_any(self) -> Box<dyn Any + Send> {
        self.action
    }

    /// Returns the arguments as JSON.
    ///
    /// # Errors
    /// Fails if JSON cannot represent the arguments.
    pub fn arguments(&self) -> Result<Value, WriteError> {
        (self.to_value)(&*self.action)
    }
}

impl fmt::Debug for ErasedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErasedAction").finish_non_exhaustive()
    }
}
