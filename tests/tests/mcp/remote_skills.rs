//! The skills of an MCP server, downloaded for a catalog.

use crate::far::{ByHand, client_of, client_of_toolbox, url_of};
use crate::login::{Login, credentials};
use crate::support::*;
use crate::warnings::Warnings;
use rmcp::model::{
    ListSkillsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Skill,
    SkillFrontmatter, SkillResource, SkillResources,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Scripted};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::mcp::{self, Auth, McpClient, Principal, RemoteSkill, SkillsError, TokenError};
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::Toolbox;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// A server of files, which counts the files that it sends.
#[derive(Clone, Default)]
struct Far(Arc<Mutex<FarState>>);

type OnRead = Box<dyn FnMut(&str) + Send>;

#[derive(Default)]
struct FarState {
    skills: Vec<Skill>,
    files: BTreeMap<String, Vec<u8>>,
    /// The URIs that clients have read.
    reads: Vec<String>,
    /// The answer to each reading, if any.
    error: Option<ErrorData>,
    /// Is called with the URI of each file that clients read.
    on_read: Option<OnRead>,
}

impl Far {
    /// Adds a skill with files of these paths and contents.
    fn add(&self, name: &str, files: &[(&str, &str)]) {
        let mut state = self.0.lock().unwrap();
        let root = format!("skill://{name}/");
        let resources = files.iter().map(|(path, text)| {
            let uri = format!("{root}{path}");
            state.files.insert(uri.clone(), text.as_bytes().to_vec());
            SkillResource::from_bytes(uri, text.as_bytes())
        });
        let resources = SkillResources::Files(resources.collect());
        let frontmatter = SkillFrontmatter::new(name, "A skill.");
        state.skills.retain(|skill| skill.name() != name);
        let skill = Skill::new(format!("{root}SKILL.md"), frontmatter, resources);
        state.skills.push(skill);
    }

    /// Returns the result of a request, without any check.
    fn answer(&self, request: &Value) -> Option<Value> {
        let mut state = self.0.lock().unwrap();
        match request["method"].as_str()? {
            "initialize" => Some(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {
                    "resources": {},
                    "extensions": { "io.modelcontextprotocol/skills": {} },
                },
                "serverInfo": { "name": "far", "version": "1.0.0" },
            })),
            "skills/list" => Some(json!({ "skills": state.skills })),
            "resources/read" => {
                let uri = request["params"]["uri"].as_str()?;
                state.reads.push(uri.to_owned());
                let text = String::from_utf8(state.files.get(uri)?.clone()).ok()?;
                Some(json!({ "contents": [{ "uri": uri, "text": text }] }))
            }
            _ => None,
        }
    }

    fn reads(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().reads)
    }

    async fn client(&self) -> McpClient {
        client_of(self.clone()).await
    }
}

impl ServerHandler for Far {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_resources()
            .enable_skills();
        ServerConfig::new(capabilities.build())
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let skills = self.0.lock().unwrap().skills.clone();
        Ok(ListSkillsResult::with_all_items(skills))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut state = self.0.lock().unwrap();
        state.reads.push(request.uri.clone());
        if let Some(on_read) = &mut state.on_read {
            on_read(&request.uri);
        }
        if let Some(error) = &state.error {
            return Err(error.clone());
        }
        let Some(bytes) = state.files.get(&request.uri) else {
            return Err(ErrorData::resource_not_found("no such file", None));
        };
        let text = String::from_utf8(bytes.clone()).unwrap();
        let contents = ResourceContents::text(text, request.uri);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// A client of a server that sends what no server of rmcp would.
async fn hostile(far: &Far) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let far = far.clone();
    tokio::spawn(async move {
        let (read, mut write) = tokio::io::split(there);
        let mut lines = BufReader::new(read).lines();
        while let Some(line) = lines.next_line().await.unwrap() {
            let request: Value = serde_json::from_str(&line).unwrap();
            let Some(id) = request.get("id") else {
                continue;
            };
            let answer = far.answer(&request);
            let answer = answer.map_or_else(
                || json!({ "error": { "code": -32002, "message": "unknown" } }),
                |result| json!({ "result": result }),
            );
            let mut response = json!({ "jsonrpc": "2.0", "id": id });
            response
                .as_object_mut()
                .unwrap()
                .extend(answer.as_object().unwrap().clone());
            write
                .write_all(format!("{response}\n").as_bytes())
                .await
                .unwrap();
        }
    });
    McpClient::connect(here).await.unwrap()
}

pub fn document(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: A skill.\n---\n{body}\n")
}

/// Downloads all skills.
pub async fn downloaded(client: &McpClient, folder: &Path) -> Result<Source, SkillsError> {
    let skills = client.skills().await?;
    client.download_skills(skills, folder).await
}

pub fn loaded(source: Source) -> Catalog {
    Catalog::builder(Dialect::AGENT_SKILLS)
        .source(source)
        .load()
}

fn listed(catalog: &Catalog) -> Vec<&str> {
    catalog.listed().map(|entry| &*entry.id).collect()
}

#[timed_test::test]
async fn a_model_reads_a_remote_skill_after_a_person_has_trusted_it() {
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("skills");
    fs::create_dir_all(skills.join("review/forms")).unwrap();
    fs::write(
        skills.join("review/SKILL.md"),
        document("review", "Read it twice."),
    )
    .unwrap();
    fs::write(skills.join("review/forms/list one.txt"), "- tests\n").unwrap();
    fs::write(skills.join("review/logo.png"), [0x89, 0xff, 0]).unwrap();
    let served = loaded(Source::project(&skills));
    let served = Toolbox::builder().catalog(served).build().await.unwrap();
    let client = client_of_toolbox(served).await;

    let cache = folder.path().join("cache/far");
    let source = downloaded(&client, &cache).await.unwrap();
    assert_eq!(source.name(), "far");
    let mut catalog = loaded(source);
    assert_eq!(catalog.skills().count(), 0, "it is not trusted yet");
    let entry = catalog.listed().next().unwrap().clone();
    catalog.trust(&entry.id, entry.hash).unwrap();
    assert_eq!(
        catalog.resource("review", "logo.png").unwrap(),
        [0x89, 0xff, 0]
    );

    let toolbox = Toolbox::builder().catalog(catalog.clone()).build();
    let model = Scripted::new()
        .calls([
            ("skill", json!({ "skill_name": "review" })),
            (
                "read_skill_file",
                json!({ "skill": "review", "path": "forms/list one.txt" }),
            ),
        ])
        .text("Done.");
    let mut chat = Chat::builder(model, toolbox.await.unwrap())
        .build()
        .unwrap();
    let turn = chat.send("Review it.").await.unwrap();
    let texts: Vec<_> = turn
        .calls
        .iter()
        .map(|call| call.result.as_ref().unwrap().text().into_owned())
        .collect();
    assert!(texts[0].contains("Read it twice."), "{texts:?}");
    assert!(texts[1].contains("- tests"), "{texts:?}");

    // the trust ends with a change at the server
    fs::write(skills.join("review/forms/list one.txt"), "- all\n").unwrap();
    let source = downloaded(&client, &cache).await.unwrap();
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(source)
        .trust("review", entry.hash)
        .load();
    assert_eq!(catalog.skills().count(), 0);
    assert_eq!(catalog.listed().count(), 1);
}

#[timed_test::test]
async fn only_changed_files_are_sent_again_and_removed_skills_go() {
    let far = Far::default();
    let review = document("review", "Read it.");
    far.add("review", &[("SKILL.md", &review), ("list.txt", "one")]);
    far.add("plan", &[("SKILL.md", &document("plan", "Plan."))]);
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    let client = far.client().await;
    client.skills().await.unwrap();
    assert!(far.reads().is_empty(), "a list reads no file");
    downloaded(&client, &cache).await.unwrap();
    assert_eq!(far.reads().len(), 3);
    downloaded(&client, &cache).await.unwrap();
    assert!(far.reads().is_empty());

    far.add("review", &[("SKILL.md", &review), ("list.txt", "two")]);
    far.0
        .lock()
        .unwrap()
        .skills
        .retain(|skill| skill.name() != "plan");
    let catalog = loaded(downloaded(&client, &cache).await.unwrap());
    assert_eq!(far.reads(), ["skill://review/list.txt"]);
    assert_eq!(listed(&catalog), ["review"]);
    assert_eq!(fs::read(cache.join("review/list.txt")).unwrap(), b"two");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[timed_test::test]
async fn a_skill_that_is_not_what_it_claims_is_left_out() {
    let far = Far::default();
    let of = |name: &str| document(name, "Body.");
    far.add("good", &[("SKILL.md", &of("good"))]);
    far.add("forged", &[("SKILL.md", &of("forged"))]);
    let claimed = of("claimed").replace("A skill.", "Another skill.");
    far.add("claimed", &[("list.txt", ""), ("SKILL.md", &claimed)]);
    far.add("gone", &[("SKILL.md", &of("gone")), ("list.txt", "")]);
    let outside = [
        ("up", "../../up.txt"),
        ("escaped", "%2e%2e/%2e%2e/up.txt"),
        ("slashed", "..%2F..%2Fup.txt"),
        ("hidden", ".env"),
        ("absolute", "/etc/up.txt"),
        ("back", "a%5C..%5Cup.txt"),
        ("zero", "up%00.txt"),
        ("lower", "skill.md"),
        ("query", "up.txt?x"),
    ];
    for (name, path) in outside {
        far.add(name, &[("SKILL.md", &of(name)), (path, "up")]);
    }
    {
        let mut state = far.0.lock().unwrap();
        let evil = of("forged").replace("Body", "Evil");
        state
            .files
            .insert("skill://forged/SKILL.md".to_owned(), evil.into_bytes());
        state.files.remove("skill://gone/list.txt");
        let huge = SkillResource::new(
            "skill://huge/SKILL.md",
            format!("sha256:{}", "0".repeat(64)),
            u64::MAX,
        );
        let frontmatter = |name| SkillFrontmatter::new(name, "A skill.");
        let files = SkillResources::Files(vec![huge]);
        let huge = Skill::new("skill://huge/SKILL.md", frontmatter("huge"), files);
        let dynamic = Skill::new(
            "skill://dynamic/SKILL.md",
            frontmatter("dynamic"),
            SkillResources::Dynamic,
        );
        let twice = state.skills[0].clone();
        state.skills.extend([huge, dynamic, twice]);
    }
    let long = "x".repeat(256);
    let conflicts = [
        ("within", "a", "a/b"),
        ("escaped-slash", "a%2Fb", "a/b"),
        ("cased", "a/List.txt", "a/list.txt"),
        ("cased-within", "a", "A/b"),
        ("document", "list.txt", "skill.md/list.txt"),
        ("composed", "\u{e9}.txt", "e\u{301}.txt"),
        ("long", "list.txt", &long),
    ];
    for (name, first, second) in conflicts {
        let files = [("SKILL.md", &*of(name)), (first, "one"), (second, "two")];
        far.add(name, &files);
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    let client = hostile(&far).await;
    let catalog = loaded(downloaded(&client, &cache).await.unwrap());
    // a name with a query is a file of that name
    assert_eq!(listed(&catalog), ["good", "query"]);
    let reads = far.reads();
    let claimed = |uri: &&String| uri.starts_with("skill://claimed/");
    let claimed: Vec<_> = reads.iter().filter(claimed).collect();
    assert_eq!(claimed, ["skill://claimed/SKILL.md"]);
    assert!(!folder.path().join("up.txt").exists());
    assert!(!fs::exists(folder.path().parent().unwrap().join("up.txt")).unwrap());
}

#[timed_test::test]
async fn a_folder_with_other_files_stays() {
    let far = Far::default();
    far.add("good", &[("SKILL.md", &document("good", "Body."))]);
    let client = far.client().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.txt"), "years").unwrap();
    let error = downloaded(&client, folder.path()).await.unwrap_err();
    assert!(matches!(error, SkillsError::NotEmpty { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .ends_with("name an empty folder, or one that does not exist")
    );
    assert!(folder.path().join("thesis.txt").exists());
    let error = downloaded(&client, &folder.path().join("thesis.txt"))
        .await
        .unwrap_err();
    assert!(matches!(error, SkillsError::Folder { .. }), "{error:?}");

    for nameless in ["", ".", "..", "cache/.."] {
        let error = downloaded(&client, Path::new(nameless)).await.unwrap_err();
        let message = error.to_string();
        assert!(
            message.ends_with("it does not end with the name of a folder"),
            "{message}"
        );
    }
    let dotted = folder.path().join("far/.");
    far.reads();
    let source = downloaded(&client, &dotted).await.unwrap();
    assert_eq!((source.name(), far.reads().len()), ("far", 1));
    assert!(folder.path().join("far/good/SKILL.md").exists());
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let items = fs::read_dir(folder).unwrap();
    let names = items.map(|item| item.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[timed_test::test]
async fn a_folder_that_cannot_be_replaced_is_put_back() {
    let far = Far::default();
    let good = document("good", "Body.");
    far.add("good", &[("SKILL.md", &good)]);
    let client = far.client().await;
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    downloaded(&client, &cache).await.unwrap();

    // the last request of the next download removes the new folder
    far.add("gone", &[("SKILL.md", &document("gone", "Body."))]);
    {
        let mut state = far.0.lock().unwrap();
        state.files.clear();
        let parent = folder.path().to_owned();
        state.on_read = Some(Box::new(move |uri| {
            assert_eq!(uri, "skill://gone/SKILL.md");
            let new = names(&parent).into_iter();
            let new = new.filter(|name| name.starts_with(".skills-"));
            new.for_each(|name| fs::remove_dir_all(parent.join(name)).unwrap());
        }));
    }
    let error = downloaded(&client, &cache).await.unwrap_err();
    assert!(matches!(error, SkillsError::Folder { .. }), "{error:?}");
    assert_eq!(names(folder.path()), ["far"]);
    assert_eq!(
        fs::read_to_string(cache.join("good/SKILL.md")).unwrap(),
        good
    );
}

#[timed_test::test]
async fn downloads_into_one_folder_at_the_same_time_all_succeed() {
    let far = Far::default();
    far.add("good", &[("SKILL.md", &document("good", "Body."))]);
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    let mut downloads = JoinSet::new();
    for _ in 0..32 {
        let (client, cache) = (far.client().await, cache.clone());
        downloads.spawn(async move {
            for _ in 0..4 {
                downloaded(&client, &cache).await.unwrap();
            }
        });
    }
    while let Some(done) = downloads.join_next().await {
        done.unwrap();
    }
    assert_eq!(names(folder.path()), ["far"]);
    assert_eq!(names(&cache), [".downloaded-skills", "good"]);
}

#[cfg(unix)]
#[timed_test::test]
async fn symbolic_links_in_the_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let far = Far::default();
    let (review, plan) = (document("review", "Read it."), document("plan", "Plan."));
    far.add("review", &[("SKILL.md", &review), ("list.txt", "one")]);
    far.add("plan", &[("SKILL.md", &plan)]);
    let client = far.client().await;
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    downloaded(&client, &cache).await.unwrap();
    far.reads();

    // the files outside have the right contents, so that a download that reads them sends no requests
    let outside = folder.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("SKILL.md"), &plan).unwrap();
    fs::write(outside.join("list.txt"), "one").unwrap();
    fs::remove_file(cache.join("review/list.txt")).unwrap();
    symlink(outside.join("list.txt"), cache.join("review/list.txt")).unwrap();
    fs::remove_dir_all(cache.join("plan")).unwrap();
    symlink(&outside, cache.join("plan")).unwrap();
    downloaded(&client, &cache).await.unwrap();
    assert_eq!(
        far.reads(),
        ["skill://review/list.txt", "skill://plan/SKILL.md"]
    );

    far.add("review", &[("SKILL.md", &review), ("list.txt", "two")]);
    fs::remove_file(cache.join("review/list.txt")).unwrap();
    symlink(outside.join("list.txt"), cache.join("review/list.txt")).unwrap();
    downloaded(&client, &cache).await.unwrap();
    assert_eq!(fs::read(cache.join("review/list.txt")).unwrap(), b"two");
    assert_eq!(fs::read(outside.join("list.txt")).unwrap(), b"one");
    assert_eq!(names(&outside), ["SKILL.md", "list.txt"]);

    let linked = folder.path().join("linked");
    symlink(&cache, &linked).unwrap();
    let error = downloaded(&client, &linked).await.unwrap_err().to_string();
    assert!(error.ends_with("it is a symbolic link"), "{error}");
}

#[timed_test::test]
async fn a_server_without_skills_is_an_error() {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let client = client_of_toolbox(Toolbox::of(&server)).await;
    let folder = tempfile::tempdir().unwrap();
    let error = downloaded(&client, &folder.path().join("far"))
        .await
        .unwrap_err();
    assert!(matches!(error, SkillsError::NoSkills), "{error:?}");
    assert!(!folder.path().join("far").exists());
}

/// A server whose list has many pages.
struct Pages {
    left: AtomicUsize,
    bytes: usize,
    wait: Duration,
}

impl ServerHandler for Pages {
    fn get_info(&self) -> ServerConfig {
        Far::default().get_info()
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        sleep(self.wait).await;
        let left = self.left.fetch_sub(1, Ordering::Relaxed);
        let frontmatter = SkillFrontmatter::new("good", "x".repeat(self.bytes));
        let uri = "skill://good/SKILL.md";
        let skill = Skill::new(uri, frontmatter, SkillResources::Dynamic);
        let mut page = ListSkillsResult::with_all_items(vec![skill]);
        page.next_cursor = (left > 1).then(|| "next".to_owned());
        Ok(page)
    }
}

/// Lists the skills of a server with many pages.
async fn pages(left: usize, bytes: usize, wait: Duration) -> Result<usize, SkillsError> {
    let left = AtomicUsize::new(left);
    let pages = Pages { left, bytes, wait };
    let client = client_of(pages).await;
    tokio::time::pause();
    let skills = client.skills().await;
    tokio::time::resume();
    Ok(skills?.len())
}

#[timed_test::test]
async fn a_list_has_limits() {
    assert_eq!(pages(3, 10, Duration::ZERO).await.unwrap(), 3);
    let error = pages(2, 9 << 20, Duration::ZERO).await.unwrap_err();
    let many = "the skills of the MCP server cannot be read: it lists more than 1000 skills, 1000 pages or 16 MiB";
    assert_eq!(error.to_string(), many);
    let error = pages(1_001, 10, Duration::ZERO).await.unwrap_err();
    assert_eq!(error.to_string(), many);
}

#[timed_test::test]
async fn a_slow_list_is_given_up() {
    let minute = Duration::from_secs(59);
    assert_eq!(pages(10, 10, minute).await.unwrap(), 10);
    let error = pages(11, 10, minute).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the skills of the MCP server cannot be read: its list did not end within 600s"
    );
}

#[timed_test::test]
async fn an_expired_token_is_replaced_in_a_list_and_in_a_download() {
    let login = Login::start().await;
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("skills");
    fs::create_dir_all(skills.join("good")).unwrap();
    fs::write(skills.join("good/SKILL.md"), document("good", "Body.")).unwrap();
    let served = loaded(Source::project(&skills));
    let served = Toolbox::builder().catalog(served).build().await.unwrap();
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let url = format!("http://{address}/mcp");
    let (tokens, resource) = (login.clone(), url.clone());
    let auth = Auth::new(url.clone(), move |token| {
        let is_known = tokens.state().tokens.contains_key(&token);
        let principal = Principal::new("ann", [resource.clone()]);
        async move { is_known.then_some(principal).ok_or(TokenError::Invalid) }
    });
    let auth = auth.unwrap().authorization_server(login.issuer());
    let http = mcp::http(served).auth(auth);
    let _http = http.bind(address).await.unwrap();
    let client = McpClient::http(url).client_credentials(credentials());
    let client = client.await.unwrap();
    login.expire();
    let skills = client.skills().await.unwrap();
    assert_eq!(login.state().exchanges.len(), 2);
    login.expire();
    let cache = folder.path().join("far");
    let source = client.download_skills(skills, cache).await.unwrap();
    assert_eq!(listed(&loaded(source)), ["good"]);
    assert_eq!(login.state().exchanges.len(), 3);
}

/// A program with two skills. Files of `long` and lists after the first one are lines of 17 MB.
#[cfg(unix)]
const PROGRAM: &str = r#"
while read -r line; do
    id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
    result='{"jsonrpc":"2.0","id":'$id',"result":'
    case $line in
    *'"initialize"'*) printf '%s\n' "$result$INITIALIZED}" ;;
    *skills/list*)
        if [ "$LIST" ]; then printf '%s\n' "$result$LIST}"; LIST=; else head -c 17000000 /dev/zero | tr '\0' x; echo; fi ;;
    *skill://good/SKILL.md*) printf '%s\n' "$result$GOOD}" ;;
    *skill://long/SKILL.md*) head -c 17000000 /dev/zero | tr '\0' x; echo ;;
    *'"id"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"Method not found"}}' ;;
    esac
done
"#;

#[cfg(unix)]
#[timed_test::test]
async fn a_file_that_is_too_long_leaves_its_skill_out() {
    let far = Far::default();
    for name in ["long", "good"] {
        far.add(name, &[("SKILL.md", &document(name, "Body."))]);
    }
    let answer = |method: &str, uri: &str| {
        let request = json!({ "method": method, "params": { "uri": uri } });
        far.answer(&request).unwrap().to_string()
    };
    let client = McpClient::command("sh", ["-c", PROGRAM])
        .env("INITIALIZED", answer("initialize", ""))
        .env("LIST", answer("skills/list", ""))
        .env("GOOD", answer("resources/read", "skill://good/SKILL.md"));
    let client = client.await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    let source = downloaded(&client, &cache).await.unwrap();
    assert_eq!(listed(&loaded(source)), ["good"]);
    assert_eq!(
        client.skills().await.unwrap_err().to_string(),
        "the skills of the MCP server cannot be read: its response has more than 16 MiB"
    );
}

#[timed_test::test]
async fn a_response_over_http_that_is_too_long_leaves_its_skill_out() {
    let far = Far::default();
    for name in ["json", "event", "good"] {
        far.add(name, &[("SKILL.md", &document(name, "Body."))]);
    }
    let url = url_of(move |request| match request["params"]["uri"].as_str() {
        Some("skill://json/SKILL.md") => {
            Some(ByHand::Body("application/json", "x".repeat(17_000_000)))
        }
        Some("skill://event/SKILL.md") => {
            let event = format!("data: {}\n\n", "x".repeat(17_000_000));
            Some(ByHand::Body("text/event-stream", event))
        }
        _ => far.answer(request).map(ByHand::Result),
    });
    let client = McpClient::http(url.await).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    let source = downloaded(&client, &cache).await.unwrap();
    assert_eq!(listed(&loaded(source)), ["good"]);
}

#[timed_test::test]
async fn only_a_missing_file_leaves_its_skill_out() {
    let far = Far::default();
    let good = document("good", "Body.");
    far.add("good", &[("SKILL.md", &good), ("list.txt", "one")]);
    let client = far.client().await;
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    downloaded(&client, &cache).await.unwrap();
    far.add("good", &[("SKILL.md", &good), ("list.txt", "two")]);
    let text = format!("busy\u{1b}[2J\u{202e}{}", "x".repeat(100_000));
    far.0.lock().unwrap().error = Some(ErrorData::internal_error(text, None));
    let error = downloaded(&client, &cache).await.unwrap_err();
    let SkillsError::Server(reason) = error else {
        panic!("{error:?}");
    };
    assert!(reason.starts_with("busy[2Jxxx"), "{reason}");
    assert!(reason.len() < 10_000, "{}", reason.len());
    assert_eq!(fs::read(cache.join("good/list.txt")).unwrap(), b"one");

    for error in [
        ErrorData::resource_not_found("gone", None),
        ErrorData::invalid_params("gone", None),
    ] {
        far.0.lock().unwrap().error = Some(error);
        let source = downloaded(&client, &cache).await.unwrap();
        assert!(listed(&loaded(source)).is_empty());
    }
}

#[timed_test::test]
async fn skills_whose_names_are_one_on_some_file_systems_are_not_mixed() {
    let far = Far::default();
    for name in ["\u{e9}t\u{e9}", "e\u{301}te\u{301}"] {
        far.add(name, &[("SKILL.md", &document(name, "Body."))]);
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("far");
    downloaded(&hostile(&far).await, &cache).await.unwrap();
    assert_eq!(names(&cache), [".downloaded-skills", "\u{e9}t\u{e9}"]);
}

#[timed_test::test]
async fn texts_of_a_skill_neither_control_a_terminal_nor_hide() {
    let far = Far::default();
    {
        let evil = "\u{1b}[2J\u{202e}x\ny";
        let frontmatter = SkillFrontmatter::new(evil, evil);
        let uri = format!("skill://{evil}/SKILL.md");
        let skill = Skill::new(uri, frontmatter, SkillResources::Dynamic);
        far.0.lock().unwrap().skills.push(skill);
    }
    let client = hostile(&far).await;
    let skills = client.skills().await.unwrap();
    assert_eq!(skills[0].name(), "[2Jx y");
    assert_eq!(skills[0].description(), "[2Jx\ny");
    let folder = tempfile::tempdir().unwrap();
    let (warnings, recording) = Warnings::record();
    let cache = folder.path().join("far");
    client.download_skills(skills, cache).await.unwrap();
    drop(recording);
    let warnings = warnings.take();
    assert!(warnings.contains(&"[2Jx y".to_owned()), "{warnings:?}");
    let is_raw = |text: &String| text.contains(['\u{1b}', '\u{202e}', '\n']);
    assert!(!warnings.iter().any(is_raw), "{warnings:?}");
}

#[timed_test::test]
async fn a_guard_that_hides_a_page_hides_no_later_one() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..60 {
        let name = format!("s{number:02}");
        fs::create_dir_all(folder.path().join(&name)).unwrap();
        let path = folder.path().join(&name).join("SKILL.md");
        fs::write(path, document(&name, "Body.")).unwrap();
    }
    // the first page of the server has 50 documents
    let guard = |attempt: &Attempt<'_>| match attempt.arguments()["skill_name"].as_str() {
        Some(name) if name < "s50" => Decision::Deny("hidden".into()),
        _ => Decision::Allow,
    };
    let served = Toolbox::builder().catalog(loaded(Source::project(folder.path())));
    let served = served.guard(guard).build().await.unwrap();
    let client = client_of_toolbox(served).await;
    let skills = client.skills().await.unwrap();
    let names: Vec<_> = skills.iter().map(RemoteSkill::name).collect();
    assert_eq!(names.len(), 10, "{names:?}");
}

#[timed_test::test]
async fn a_download_has_a_maximum_size() {
    let far = Far::default();
    for number in 0..17 {
        let name = format!("s{number}");
        far.add(&name, &[("SKILL.md", &document(&name, "Body."))]);
        let mut state = far.0.lock().unwrap();
        let skill = state.skills.last_mut().unwrap();
        let uri = format!("skill://{name}/large.bin");
        let digest = format!("sha256:{}", "0".repeat(64));
        if let SkillResources::Files(files) = &mut skill.resources {
            // the file does not exist, so its skill is left out, but its size counts
            files.push(SkillResource::new(uri, digest, (16 << 20) - 1_000));
        }
    }
    let client = far.client().await;
    let folder = tempfile::tempdir().unwrap();
    let error = downloaded(&client, &folder.path().join("far")).await;
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the chosen skills have more than 256 MiB of files; choose fewer"
    );
}
