//! An agent's data flow.

use crate::Agent;
use crate::composition::data_flow;
use crate::policy::DataFlow;

impl DataFlow<'static> {
    /// Returns the data flow of the agent's listed skills and its own actions. For an agent with mounted skills, use
    /// [`Mounted::data_flow`](crate::Mounted::data_flow).
    pub fn of_agent<G: Agent>() -> Self {
        data_flow(G::__tables())
    }
}
