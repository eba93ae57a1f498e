//! The tools of one agent for each provider, compared with `providers/`.
//!
//! `BLESS=1 cargo test -p skill-tests --test models golden` rewrites the files. Review the diff.

use crate::dialect_rules::mistakes;
use crate::projections::schema_in;
use crate::shop_agent::ShopAgent;
use serde_json::Value;
use skill_agent::models::{Provider, ToolsJson};
use std::fs;
use std::path::PathBuf;

#[test]
fn the_lists_equal_their_files() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("providers");
    for &provider in Provider::ALL {
        let tools: Value = serde_json::from_str(ShopAgent::tools_json(provider).unwrap()).unwrap();
        for tool in tools.as_array().unwrap() {
            let schema = schema_in(provider, tool);
            if !schema.is_null() {
                assert_eq!(
                    mistakes(provider, &schema),
                    Vec::<String>::new(),
                    "{provider:?}"
                );
            }
        }
        let name = format!("{provider:?}")
            .replace("Provider::", "")
            .to_lowercase();
        let path = folder.join(format!("{name}.json"));
        let text = format!("{tools:#}\n");
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let file = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            file == text,
            "the tools for {provider:?} differ from their file; if that is intended, run BLESS=1 cargo test -p skill-tests \
             --test models golden\n--- file\n{file}\n--- now\n{text}"
        );
    }
}
