//! The same 32 tools in four variants. Each is called with a name and the JSON text of the arguments, and returns the
//! JSON text of the output.

#[allow(dead_code)] // the benchmarks call the tools by name
#[rustfmt::skip]
pub mod hand;
#[allow(dead_code)] // the benchmarks call the tools by name
#[rustfmt::skip]
pub mod ours;
#[allow(dead_code)] // the benchmarks call the tools by name
#[rustfmt::skip]
pub mod rig;
#[allow(dead_code)] // the benchmarks call the tools by name
#[rustfmt::skip]
pub mod rmcp;

use ::rig::tool::{ToolContext, ToolSet};
use ::rmcp::handler::server::router::tool::ToolRouter;
use ::rmcp::handler::server::tool::ToolCallContext;
use ::rmcp::model::{CallToolRequestParams, CallToolResponse, NumberOrString};
use ::rmcp::service::{Peer, RequestContext, RoleServer, RunningService, serve_directly};
use std::task::{Context, Poll, Waker};

/// The number of tools.
pub const COUNT: usize = 32;

/// Polls a future that is ready immediately. This measures a tool without a runtime.
pub fn poll_ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the tools never wait"),
    }
}

/// rmcp's router, with the peer of a running service that each call needs.
pub struct Rmcp {
    pub worker: rmcp::Worker,
    pub router: ToolRouter<rmcp::Worker>,
    peer: Peer<RoleServer>,
    _service: RunningService<RoleServer, rmcp::Worker>,
}

impl Rmcp {
    /// Creates the router. Must be called inside a tokio runtime.
    pub fn new() -> Self {
        let (near, _far) = tokio::io::duplex(64);
        let service = serve_directly(rmcp::Worker::default(), near, None);
        Self {
            worker: rmcp::Worker::default(),
            router: rmcp::Worker::tool_router(),
            peer: service.peer().clone(),
            _service: service,
        }
    }

    /// Handles a request like rmcp's server, including the parsing of the arguments.
    pub fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        let arguments = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
        let request = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let context = RequestContext::new(NumberOrString::Number(1), self.peer.clone());
        let context = ToolCallContext::new(&self.worker, request, context);
        match poll_ready(self.router.call(context)) {
            Ok(CallToolResponse::Complete(mut result)) => {
                let text = match result.content.pop() {
                    Some(::rmcp::model::ContentBlock::Text(text)) => text.text,
                    _ => return Err("the answer has no text".to_owned()),
                };
                match result.is_error {
                    Some(true) => Err(text),
                    _ => Ok(text),
                }
            }
            Ok(_) => Err("the answer is not complete".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// rig's tool set, called like rig's agents do.
pub struct Rig {
    pub set: ToolSet,
}

impl Rig {
    pub fn new() -> Self {
        Self { set: rig::tools() }
    }

    pub fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        let mut context = ToolContext::new();
        match poll_ready(self.set.execute(name, arguments, &mut context)).into_result() {
            Ok(output) => match output.as_text() {
                // rig returns a string as it is; the other variants return JSON
                Some(text) => serde_json::to_string(text).map_err(|e| e.to_string()),
                None => Ok(output.render()),
            },
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Variant, example};
    use skill_agent::prelude::Agent;

    #[test]
    fn the_checked_in_tools_equal_the_generated_ones() {
        for variant in Variant::ALL {
            let path = format!(
                "{}/src/tools/{}.rs",
                env!("CARGO_MANIFEST_DIR"),
                variant.file()
            );
            let text = std::fs::read_to_string(path).unwrap();
            assert!(
                text == variant.source(COUNT),
                "{}: run `skill-benches write`",
                variant.name()
            );
        }
    }

    #[tokio::test]
    async fn all_variants_return_the_same_outputs() {
        let (mut ours, mut hand) = (ours::Worker::new(), hand::Worker::default());
        let (rmcp, rig) = (Rmcp::new(), Rig::new());
        for number in 0..COUNT {
            let (name, arguments) = example(number);
            let answer = hand.call(&name, arguments).unwrap();
            assert!(!answer.is_empty());
            assert_eq!(
                ours.call_json(&name, arguments).unwrap().output,
                answer,
                "{name}"
            );
            assert_eq!(rmcp.call(&name, arguments).unwrap(), answer, "{name}");
            assert_eq!(rig.call(&name, arguments).unwrap(), answer, "{name}");
        }
        let used = |at: usize| [ours.state().kit0.used, ours.state().kit1.used][at];
        assert_eq!((hand.used, used(0) + used(1)), (COUNT as u64, COUNT as u64));
        for (name, arguments) in [
            ("none", "{}"),
            ("add_0", r#"{"a":1}"#),
            ("add_0", "{"),
            ("add_0", r#"{"a":1,"b":2,"c":3}"#),
        ] {
            assert!(hand.call(name, arguments).is_err());
            assert!(ours.call_json(name, arguments).is_err());
            assert!(rmcp.call(name, arguments).is_err());
        }
        assert!(rig.call("none", "{}").is_err() && rig.call("add_0", "{").is_err());
    }

    #[test]
    fn all_variants_list_the_same_tools() {
        let mut names: Vec<String> = (0..COUNT).map(|number| example(number).0).collect();
        let hand: Vec<_> = hand::tools()
            .into_iter()
            .map(|tool| tool.0.to_owned())
            .collect();
        assert_eq!(hand, names);
        let ours: Vec<_> = ours::Worker::tools()
            .iter()
            .map(|tool| tool.name.to_owned())
            .collect();
        assert_eq!(ours, names);
        let rig: Vec<_> = rig::tools().names().map(str::to_owned).collect();
        assert_eq!(rig, names);
        names.sort();
        let rmcp: Vec<_> = rmcp::Worker::tool_router()
            .list_all()
            .into_iter()
            .map(|tool| tool.name.into_owned())
            .collect();
        assert_eq!(rmcp, names);
    }
}
