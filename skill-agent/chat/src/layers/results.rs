//! The results of a turn's calls, as the layers change them.

use super::Layers;
use super::error::LayerError;
use crate::CallPart;
use skill_agent_server::Applied;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::sync::{Arc, OnceLock};

/// Passes results through the layers, and keeps the error if a layer ends the turn.
#[derive(Clone, Default)]
pub(crate) struct LayeredResults {
    layers: Layers,
    ended: Arc<OnceLock<LayerError>>,
}

impl LayeredResults {
    pub(crate) fn new(layers: Layers) -> Self {
        Self {
            layers,
            ended: Arc::default(),
        }
    }

    /// Returns why a layer ended the turn, or `None` if no layer did.
    pub(crate) fn ended(&self) -> Option<&LayerError> {
        self.ended.get()
    }

    /// Returns the result of a call as the layers change it. The layers do not get the result of a call that has not run.
    pub(crate) async fn pass(
        &self,
        call: Option<CallPart>,
        mut result: Result<ToolOutput, ToolError>,
    ) -> Result<ToolOutput, ToolError> {
        let has_run = matches!(result, Ok(_) | Err(ToolError::Failed { .. }));
        let Some(call) = call.filter(|_| has_run && !self.layers.is_empty()) else {
            return result;
        };
        let loaded = result.as_mut().ok().and_then(ToolOutput::take_loaded);
        let passed = self.layers.result(&call, &mut result).await;
        result = result.map(|output| output.with_loaded(loaded));
        let Err(error) = passed else {
            return result;
        };
        if !matches!(error, LayerError::End { .. }) {
            let message = "it was run, but its result is unknown, because a layer failed";
            let name = &call.call.name;
            result = Err(ToolError::failed(
                name,
                message.to_owned(),
                Applied::Unknown,
            ));
        }
        // keep only the first reason
        self.ended.get_or_init(|| error);
        result
    }
}
