//! The tools of a turn's requests.

use crate::model::{AskedAnswer, Deferral};
use crate::turn::TurnTask;
use crate::{Deferred, DeferredTools};
use skill_agent_toolbox::{ListedTool, ToolList};
use skill_core::ToolBuf;
use std::sync::Arc;

/// The tools of a request, rebuilt only when the session's list or the loaded groups change.
pub(in crate::turn) struct Tools {
    pub(super) list: Arc<ToolList>,
    pub(super) for_request: Arc<[ToolBuf]>,
    pub(super) deferral: Option<Arc<Deferral>>,
    /// The typed answer that requests with these tools ask for.
    pub(in crate::turn) answer: Option<Arc<AskedAnswer>>,
}

impl Tools {
    fn is_current(&self, list: &Arc<ToolList>, loaded: &[String]) -> bool {
        let is_same = |deferral: &Arc<Deferral>| deferral.loaded == loaded;
        Arc::ptr_eq(&self.list, list) && self.deferral.as_ref().is_none_or(is_same)
    }
}

impl TurnTask {
    pub(in crate::turn) async fn tools(&mut self) -> (Vec<Arc<ListedTool>>, Arc<[ToolBuf]>) {
        let list = self.setup.session.list().await;
        let loaded = self.loaded_groups(&list);
        let tools = match self.tools.take() {
            Some(tools) if tools.is_current(&list, &loaded) => tools,
            _ => {
                let deferral = deferral(&list, loaded, self.setup.deferred).map(Arc::new);
                let for_request: Arc<[_]> = match &deferral {
                    Some(deferral) => Arc::clone(&deferral.offered),
                    None => list
                        .tools
                        .iter()
                        .map(|listed| listed.tool.clone())
                        .collect(),
                };
                let answer = self.answer.as_ref().map(|answer| {
                    let all = list.tools.iter().map(|listed| &*listed.tool.name);
                    Arc::new(answer.asked(Arc::clone(&for_request), &all.collect::<Vec<_>>()))
                });
                Tools {
                    answer,
                    for_request,
                    deferral,
                    list,
                }
            }
        };
        let found = (tools.list.tools.clone(), Arc::clone(&tools.for_request));
        self.tools = Some(tools);
        found
    }
}

/// Returns the tools in the form of each model, or `None` if the list has no deferred groups.
fn deferral(list: &ToolList, loaded: Vec<String>, how: Deferred) -> Option<Deferral> {
    if list.groups.is_empty() {
        return None;
    }
    let tools_of = |group: Option<&str>| -> Vec<ToolBuf> {
        let tools = list.tools.iter();
        let tools = tools.filter(|listed| listed.group.as_deref() == group);
        tools.map(|listed| listed.tool.clone()).collect()
    };
    let others: Arc<[ToolBuf]> = tools_of(None).into();
    let offered = match how {
        Deferred::Listed => list
            .tools
            .iter()
            .map(|listed| listed.tool.clone())
            .collect(),
        Deferred::Hidden => {
            let joined = loaded.iter().flat_map(|name| tools_of(Some(name)));
            others.iter().cloned().chain(joined).collect()
        }
    };
    let groups = list.groups.iter().map(|group| DeferredTools {
        group: group.name.clone(),
        tools: tools_of(Some(&group.name)),
    });
    Some(Deferral::new(offered, others, groups.collect(), loaded))
}
