use super::super::{Fetch, Web};
use super::*;
use skill_agent::prelude::*;

agent! {
    pub(crate) struct Reader {
        name: "reader",
        skills: [Web],
    }
}

#[derive(Resources)]
struct World {
    client: FetchClient,
}

/// The output or the message of a call as a model makes it.
async fn called(client: FetchClient, arguments: &str) -> Result<String, String> {
    let server = AgentServer::builder(Reader::new()).resources(World { client });
    let server = server.start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let result = model.call_json("fetch", arguments).await;
    server.stop().await.unwrap();
    result.map_err(|error| error.to_string())
}

#[timed_test::test]
async fn a_model_fetches_a_page() {
    const { assert!(Fetch::SPEC.hints.open_world) };
    let server = Server::start(|_| text("Hello")).await;
    let arguments = format!(r#"{{"url":"{}"}}"#, server.url());
    assert_eq!(
        called(client_of([&server]), &arguments).await.unwrap(),
        format!(
            r#"{{"status":200,"url":"{}","content_type":"text/plain","text":"Hello"}}"#,
            server.url()
        )
    );
}

#[timed_test::test]
async fn a_wrong_call_says_what_to_write() {
    let scheme = "does not begin with `https://` or `http://`, and nothing else can be fetched; \
        write a whole URL, such as `https://example.com/page`";
    let schema = "the arguments of `fetch` are wrong: ";
    for (arguments, expected) in [
        (r#"{"url":""}"#, format!("`` {scheme}")),
        (
            r#"{"url":"example.com/a"}"#,
            format!("`example.com/a` {scheme}"),
        ),
        (
            r#"{"url":"example.com:80"}"#,
            format!("`example.com:80` {scheme}"),
        ),
        (
            r#"{"url":"ftp://example.com/"}"#,
            format!("`ftp://example.com/` {scheme}"),
        ),
        (
            r#"{"url":"/etc/passwd"}"#,
            format!("`/etc/passwd` {scheme}"),
        ),
        (
            r#"{"url":"http://exa mple.com/"}"#,
            "`http://exa mple.com/` is not a valid URL: invalid international domain name; \
             write one such as `https://example.com/page`"
                .to_owned(),
        ),
        (
            r#"{"url":"https://"}"#,
            "`https://` is not a valid URL: empty host; \
             write one such as `https://example.com/page`"
                .to_owned(),
        ),
        (
            r#"{"url":"https://me:secret@example.com/"}"#,
            "the URL has a user name or password before `@`, which is never sent; \
             write `https://example.com/`"
                .to_owned(),
        ),
        (
            r#"{"url":"http://2130706433/"}"#,
            "`http://2130706433/` is refused: its host is 127.0.0.1, a loopback address; \
             only public addresses can be fetched"
                .to_owned(),
        ),
        (
            r#"{"url":"https://example.com/","body":"a"}"#,
            "a request with GET has no body; leave it out, or use POST".to_owned(),
        ),
        (
            r#"{"url":"https://example.com/","method":"HEAD","body":"a"}"#,
            "a request with HEAD has no body; leave it out, or use POST".to_owned(),
        ),
        (
            r#"{"url":"https://example.com/","method":"DELETE"}"#,
            format!(
                "{schema}`method`: unknown variant `DELETE`, expected one of `GET`, `HEAD`, `POST`"
            ),
        ),
        (
            r#"{"url":"https://example.com/","headers":{}}"#,
            format!(
                "{schema}`headers`: unknown field `headers`, expected one of `url`, `method`, `body`"
            ),
        ),
        (
            "{}",
            format!("{schema}at the top level: missing field `url`"),
        ),
    ] {
        let error = called(client_of([]), arguments).await.unwrap_err();
        assert_eq!(error, expected, "{arguments}");
    }
}
