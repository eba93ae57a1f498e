//! An assistant in the terminal.

mod agent;
mod args;
mod assistant;
mod data;
mod failure;
#[cfg(feature = "http")]
mod fetch;
mod models;
mod session;
mod skills;
mod terminal;

use args::Args;
use assistant::Place;
use clap::Parser;
use data::{Data, random_secret};
use failure::Failure;
use models::{Model, demo};
use session::Session;
use skill_agent::store::Memory;
use std::env;
use std::error::Error;
use std::process::ExitCode;
use terminal::printable;

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&Failure::Runtime(error)),
    };
    let ended = runtime.block_on(run(args));
    // an action that reads a slow file would keep the program
    runtime.shutdown_background();
    match ended {
        Err(failure) if !failure.is_closed_pipe() => failed(&failure),
        _ => ExitCode::SUCCESS,
    }
}

fn failed(failure: &Failure) -> ExitCode {
    let mut text = failure.to_string();
    let mut source = failure.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    eprintln!("skill-assistant: {}", printable(&text));
    ExitCode::FAILURE
}

async fn run(args: Args) -> Result<(), Failure> {
    if args.demo {
        return play(args).await;
    }
    let data = Data::open(args.data.clone())?;
    let model = model(&args).await?;
    let lines = Some(data.lines());
    let place = Place {
        store: data.store.clone(),
        secret: data.secret.clone(),
        files: &args.files,
    };
    let assistant = assistant::start(&args, place, model.as_ref()).await?;
    let mut session = Session::new(assistant, model, args.price, lines)?;
    session.greet(data.folder()).await?;
    session.run().await?;
    session.end().await
}

#[cfg(feature = "http")]
async fn model(args: &Args) -> Result<Option<Model>, Failure> {
    models::choose(&args.model).await
}

#[cfg(not(feature = "http"))]
async fn model(_: &Args) -> Result<Option<Model>, Failure> {
    Ok(None)
}

/// Plays the recorded conversation in a folder of its own.
async fn play(args: Args) -> Result<(), Failure> {
    let folder = tempfile::Builder::new().prefix("skill-assistant").tempdir();
    let folder = folder.map_err(|error| Failure::folder(&env::temp_dir(), error))?;
    let model = demo::model();
    let place = Place {
        store: Memory::default(),
        secret: random_secret().map_err(Failure::Runtime)?,
        files: folder.path(),
    };
    let assistant = assistant::start(&args, place, Some(&model)).await?;
    let mut session = Session::new(assistant, Some(model), args.price, None)?;
    session.play(demo::messages(), args.yes).await?;
    session.end().await
}
