//! The questions and cases of selections, asked in chats. The requests are inspected.

#[path = "../common/oracle.rs"]
#[allow(dead_code)]
mod oracle;

use oracle::{oracle, rows, text};
use serde_json::{Value, json};
use skill_agent::chat::{Chat, ChatRequest, MessagePart, Scripted};
use skill_agent::manifest::selection::SelectionPolicy;
use skill_agent::manifest::{Catalog, CatalogBuilder, Dialect, Source};
use skill_agent::toolbox::Toolbox;
use std::fs;
use std::path::{Path, PathBuf};

const QUESTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/questions");
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");

fn questions(file: &str) -> Value {
    let text = fs::read_to_string(format!("{QUESTIONS}/{file}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

async fn toolbox(catalog: Catalog, policy: SelectionPolicy) -> Toolbox {
    let toolbox = Toolbox::builder().catalog(catalog);
    toolbox.selection_policy(policy).build().await.unwrap()
}

/// The request of a new conversation that begins with a message.
async fn request(toolbox: &Toolbox, message: &str) -> ChatRequest {
    let model = Scripted::new().text("Yes.");
    let mut chat = Chat::builder(model.clone(), toolbox.clone())
        .build()
        .unwrap();
    chat.send(message).await.unwrap();
    model.requests().remove(0)
}

/// The texts that a request has besides the message, and the ids of the documents among them.
fn added(request: &ChatRequest) -> (Vec<&str>, Vec<&str>) {
    let parts = request.messages[0].parts.iter();
    let parts = parts.filter_map(|part| match part {
        MessagePart::Context(part) => Some(part),
        _ => None,
    });
    let (mut texts, mut ids) = (Vec::new(), Vec::new());
    for part in parts {
        texts.push(&*part.text);
        ids.extend(part.loaded.iter().map(|id| &**id));
        for id in &part.loaded {
            let element = format!("<skill name=\"{id}\">\n");
            assert!(part.text.starts_with(&element), "{}", part.text);
        }
    }
    (texts, ids)
}

/// The estimated tokens of a request.
fn tokens(request: &ChatRequest) -> usize {
    let mut bytes = serde_json::to_string(&*request.messages).unwrap().len();
    for tool in request.tools.iter() {
        bytes += tool.name.len() + tool.description.len() + tool.input_schema.to_string().len();
    }
    bytes / 4
}

/// A row that is decided otherwise, by its skill set and query. The test of the selector has the reasons.
const DEVIATIONS: [(&str, &str); 2] = [("bad", "test message"), ("base", "list skills")];

/// Writes a document of the oracle.
fn write(folder: &Path, skill: &Value) {
    let mut head = format!(
        "name: {}\ndescription: {}\n",
        skill["name"], skill["description"]
    );
    if let Some(triggers) = skill["triggers"]
        .as_object()
        .filter(|list| !list.is_empty())
    {
        head += &format!("triggers: {}\n", json!(triggers));
    }
    let folder = folder.join(text(&skill["name"]));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), format!("---\n{head}---\nDo it.\n")).unwrap();
}

#[timed_test::test]
async fn a_chat_discloses_what_the_cases_of_others_say() {
    let Some(cases) = oracle("disclosure_cases") else {
        return;
    };
    let (mut equal, mut deviations) = (0, Vec::new());
    for case in rows(&cases["cases"]) {
        let (set, query) = (text(&case["skill_set"]), text(&case["query"]));
        // the file lacks one set
        let Some(skills) = cases["skill_sets"].get(set) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        skills
            .as_array()
            .unwrap()
            .iter()
            .for_each(|skill| write(folder.path(), skill));
        let catalog = Catalog::builder(Dialect::TRIGGERED).source(Source::project(folder.path()));
        let toolbox = toolbox(catalog.load(), SelectionPolicy::TIERS).await;
        let request = request(&toolbox, query).await;
        let (texts, mut ids) = added(&request);
        let tier = match texts.last() {
            _ if !ids.is_empty() => 3,
            None => 0,
            Some(text) if text.ends_with(" available]") => 1,
            Some(text) => {
                assert!(text.starts_with("## Available skills"), "{text}");
                2
            }
        };
        let mut expected: Vec<&str> = case["docs"].as_array().unwrap().iter().map(text).collect();
        // equal documents are in the order of the catalog
        ids.sort_unstable();
        expected.sort_unstable();
        if (tier, ids) == (case["tier"].as_u64().unwrap(), expected) {
            equal += 1;
        } else {
            deviations.push((set, query));
        }
    }
    println!("{equal} cases equal, decided otherwise: {deviations:?}");
    for deviation in deviations {
        assert!(DEVIATIONS.contains(&deviation), "{deviation:?}");
    }
    assert!(equal > 0);
}

/// The results of questions in chats.
#[derive(Default)]
struct Asked {
    questions: usize,
    recalled: usize,
    /// The unrelated questions that get a document.
    wrong: usize,
    tokens: usize,
}

async fn ask(toolbox: &Toolbox, expected: &Value, none: &Value) -> Asked {
    let mut asked = Asked::default();
    for document in rows(expected) {
        for question in rows(&document["questions"]) {
            let request = request(toolbox, text(question)).await;
            let (_, ids) = added(&request);
            assert!(ids.len() <= 3, "{ids:?}");
            asked.questions += 1;
            asked.recalled += usize::from(ids.contains(&text(&document["name"])));
            asked.tokens += tokens(&request);
        }
    }
    for question in rows(none) {
        let request = request(toolbox, text(question)).await;
        asked.questions += 1;
        asked.wrong += usize::from(!added(&request).1.is_empty());
        asked.tokens += tokens(&request);
    }
    asked
}

/// Asks each question in a chat that selects, and in one that lists every document with its description.
async fn compare(
    catalog: impl Fn() -> CatalogBuilder,
    policy: SelectionPolicy,
    expected: &Value,
    none: &Value,
) -> [Asked; 2] {
    // the model can still search the other documents
    let selecting = toolbox(catalog().skill_budget(100).load(), policy).await;
    let everything = catalog().skill_budget(usize::MAX).load();
    let listing = toolbox(everything, SelectionPolicy::LAZY_TOOL).await;
    let both = [
        ask(&selecting, expected, none).await,
        ask(&listing, expected, none).await,
    ];
    for asked in &both {
        println!(
            "{} questions: {} recalled, {} wrong, {} tokens a request",
            asked.questions,
            asked.recalled,
            asked.wrong,
            asked.tokens / asked.questions,
        );
    }
    both
}

#[timed_test::test]
async fn chats_find_the_documents_of_a_question_by_their_triggers() {
    let file = questions("triggered_questions");
    let folder = PathBuf::from(format!("{QUESTIONS}/triggered"));
    let catalog = || Catalog::builder(Dialect::TRIGGERED).source(Source::project(&folder));
    let policy = SelectionPolicy::TIERS;
    let [selecting, listing] = compare(catalog, policy, &file["expected"], &file["none"]).await;
    assert_eq!(selecting.questions, 120);
    // as the selector by itself
    assert!(selecting.recalled >= 48, "{}", selecting.recalled);
    assert!(selecting.wrong <= 3, "{}", selecting.wrong);
    assert_eq!((listing.recalled, listing.wrong), (0, 0));
    assert!(selecting.tokens < listing.tokens);
}

#[timed_test::test]
async fn chats_find_the_documents_of_a_question_by_their_descriptions() {
    if !Path::new(CORPUS).exists() {
        eprintln!("skipped: {CORPUS} is not there");
        return;
    }
    let expected = questions("corpus_questions");
    let folder = tempfile::tempdir().unwrap();
    for document in rows(&expected) {
        let to = folder.path().join(text(&document["name"]));
        fs::create_dir_all(&to).unwrap();
        let from = Path::new(CORPUS).join(text(&document["path"]));
        fs::copy(from, to.join("SKILL.md")).unwrap();
    }
    let catalog = || {
        let source = Source::project(folder.path());
        Catalog::builder(Dialect::AGENT_SKILLS_LENIENT).source(source)
    };
    // the authors of some documents hide them from models
    let offered = catalog().load();
    let is_offered = |document: &&Value| {
        let doc = offered.get(text(&document["name"])).unwrap().doc();
        !doc.disable_model_invocation
    };
    let expected: Vec<Value> = rows(&expected).iter().filter(is_offered).cloned().collect();
    assert_eq!(expected.len(), 34);
    let expected = json!(expected);
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let none = questions("unrelated_questions");
    let [selecting, listing] = compare(catalog, policy, &expected, &none).await;
    let asked = 3 * 34;
    assert!(
        selecting.recalled * 10 >= asked * 8,
        "{}",
        selecting.recalled
    );
    assert!(selecting.wrong <= 5, "{}", selecting.wrong);
    assert!(selecting.tokens < listing.tokens);
}
