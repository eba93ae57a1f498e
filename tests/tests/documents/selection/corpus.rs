//! The documents that others wrote, shown to a model within several budgets.

use skill_agent::manifest::selection::{Activations, SelectionPolicy, tokens};
use skill_agent::manifest::{Catalog, Dialect, Source};
use std::path::Path;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");

#[test]
fn the_budget_holds_for_the_documents_of_the_corpus() {
    if !Path::new(CORPUS).exists() {
        eprintln!("skipped: {CORPUS} is not there");
        return;
    }
    let deep = Dialect::AGENT_SKILLS_LENIENT.with_depth(12);
    for budget in [1_000, 4_000, 16_000] {
        let source = Source::project(CORPUS);
        let catalog = Catalog::builder(deep)
            .source(source)
            .skill_budget(budget)
            .load();
        // without those that only people may invoke
        let count = catalog.selector().candidates().len();
        assert!(count > 100, "{count}");
        let tool = catalog.skill_tool().unwrap();
        let size = tokens(
            tool.name.len() + tool.description.len() + tool.input_schema().to_string().len(),
        );
        let listed = tool.description.matches("<skill name=").count();
        let prompt = catalog.prompt_within(budget).unwrap();
        let none = Activations::default();
        let policy = SelectionPolicy::TIERS
            .max_skills(count)
            .budget(budget)
            .match_descriptions(true);
        let selection = catalog.select(
            "Review the code of this API and write tests for it",
            &none,
            &policy,
        );
        let shown = tokens(catalog.selection_text(&selection).text.len());
        println!(
            "budget {budget}: {count} documents; the tool {size} tokens with {listed}; the prompt {} tokens, {} left out; \
             a request {shown} tokens of {} documents, {} left out",
            tokens(prompt.text.len()),
            prompt.left_out.len(),
            selection.items.len(),
            selection.left_out.len(),
        );
        assert!(size <= budget && tokens(prompt.text.len()) <= budget && shown <= budget);
        assert_eq!(selection.items.len() + selection.left_out.len(), count);
    }
}
