//! The data flow of an agent.

use crate::Agent;
use crate::composition::data_flow;
use crate::policy::DataFlow;

impl DataFlow<'static> {
    /// The data flow of the skills and actions that an agent lists. That of an agent with mounted skills is
    /// [`Mounted::data_flow`](crate::Mounted::data_flow).
    pub fn of_agent<G: Agent>() -> Self {
        data_flow(G::__tables())
    }
}
