//! A browser, by the protocol WebDriver of `chromedriver`.

use crate::client::send;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The name that the protocol gives to elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Headless Chromium.
pub struct Browser {
    driver: Driver,
    session: String,
}

/// The running `chromedriver`, which ends with this value.
struct Driver {
    process: Child,
    address: SocketAddr,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // the driver ends its browser with the session
        if let Ok(mut stream) = TcpStream::connect(self.driver.address) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let path = &self.session;
            let _ = write!(
                stream,
                "DELETE {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            );
            let _ = BufReader::new(stream).read_line(&mut String::new());
        }
        let _ = self.driver.process.kill();
        let _ = self.driver.process.wait();
    }
}

impl Browser {
    /// Starts a browser. Without one, prints what is missing and returns `None`.
    pub async fn start() -> Option<Self> {
        for program in ["chromium", "chromedriver"] {
            let mut found = Command::new(program);
            let found = found
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if found.status().is_err() {
                println!(
                    "skipped: there is no `{program}`; Debian's packages are `chromium` and `chromium-driver`"
                );
                return None;
            }
        }
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            let port = line.split("started successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let address = SocketAddr::from(([127, 0, 0, 1], port.unwrap()));
        let driver = Driver { process, address };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--window-size=1000,700",
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
        } } });
        let mut browser = Self {
            driver,
            session: "/session".to_owned(),
        };
        let begun = browser.command("", capabilities).await;
        browser.session = format!("/session/{}", begun["sessionId"].as_str().unwrap());
        Some(browser)
    }

    pub async fn open(&self, url: &str) {
        self.command("/url", json!({ "url": url })).await;
    }

    /// Returns when the page is loaded; its requests may still be running.
    pub async fn reload(&self) {
        self.command("/refresh", json!({})).await;
    }

    /// Returns what a script returns.
    pub async fn run(&self, script: &str) -> Value {
        let script = json!({ "script": script, "args": [] });
        self.command("/execute/sync", script).await
    }

    /// Waits until an expression of JavaScript is `value`. It is evaluated with each frame.
    pub async fn wait(&self, expression: &str, value: impl Into<Value>) {
        let value = value.into();
        let script = "
            const [expression, value, done] = arguments;
            const evaluate = new Function(`return ${expression}`);
            const end = Date.now() + 10_000;
            (function check() {
                const found = evaluate();
                if (JSON.stringify(found) === JSON.stringify(value)) done(null);
                else if (Date.now() > end) done([found]);
                else requestAnimationFrame(check);
            })();";
        let script = json!({ "script": script, "args": [expression, value] });
        let instead = self.command("/execute/async", script).await;
        assert_eq!(instead, Value::Null, "{expression} is not {value}");
    }

    /// Waits for an element, and clicks on it as a person does.
    pub async fn click(&self, xpath: &str) {
        let element = self.element(xpath).await;
        self.command(&format!("{element}/click"), json!({})).await;
    }

    /// Writes into an element, and presses Enter.
    pub async fn enter(&self, xpath: &str, text: &str) {
        let element = self.element(xpath).await;
        let keys = json!({ "text": format!("{text}\u{e007}") });
        self.command(&format!("{element}/value"), keys).await;
    }

    async fn element(&self, xpath: &str) -> String {
        let found = format!("!!document.evaluate({xpath:?}, document, null, 9).singleNodeValue");
        self.wait(&found, true).await;
        let query = json!({ "using": "xpath", "value": xpath });
        let found = self.command("/element", query).await;
        format!("/element/{}", found[ELEMENT].as_str().unwrap())
    }

    async fn command(&self, path: &str, body: Value) -> Value {
        let path = format!("{}{path}", self.session);
        // the driver refuses HTTP/1.0
        let line = format!("POST {path} HTTP/1.1");
        let response = send(self.driver.address, &line, "", &body.to_string()).await;
        let (status, text) = (response.status, response.text().await);
        assert_eq!(status, 200, "{path}: {text}");
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        answer["value"].take()
    }
}
