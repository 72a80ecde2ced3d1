//! The socket: where it listens, how many may connect, how long a request may take to come, and how it ends.

use super::app::App;
use super::guard::Guard;
use super::routes::router;
use crate::error::{Error, Kind, Remedy, Result};
use crate::host::Repositories;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Connections at the same time; more wait until one ends.
const MOST_CONNECTIONS: usize = 512;
/// How long the head of a request may take, and how long a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// How long answers that are being given may take once the server is to end.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// How long nobody is accepted after the system refused (no more file descriptors).
const AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// Characters of a token at least: fewer can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Where a server listens, and who may ask it.
#[derive(Clone)]
pub struct ServeOptions {
    /// A name or address of this machine.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// What clients must send; none on loopback if every program of this machine may ask.
    pub token: Option<String>,
}

/// Serves until the process is asked to end; `ready` is told the address as soon as clients may connect.
///
/// # Errors
/// When the address is not of this machine, is taken, or can be reached from others and there is no token.
pub fn serve(repositories: Repositories, options: &ServeOptions, ready: impl FnOnce(&str) -> Result<()>) -> Result<()> {
    let addresses = allowed(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| {
        Error::new(Kind::Usage, format!("the server does not start: {cause}"), "check the limits of this process")
    })?;
    let served = runtime.block_on(async {
        let (listener, local) = listen(&addresses, options).await?;
        let guard = Guard::new(options.host.clone(), local, options.token.clone());
        ready(&guard.address())?;
        repositories.begin();
        run(listener, App::new(repositories, guard)).await;
        Ok(())
    });
    // An index that is being made is given up; the former one stays.
    runtime.shutdown_background();
    served
}

/// The addresses to try, if they may be listened on.
fn allowed(options: &ServeOptions) -> Result<Vec<SocketAddr>> {
    if let Some(token) = &options.token
        && (token.len() < SHORTEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()))
    {
        let what = format!("the token is not {SHORTEST_TOKEN} or more letters, digits and signs");
        return Err(Error::new(Kind::Usage, what, Remedy::GiveToken));
    }
    let host = options.host.trim_matches(['[', ']']);
    let found = (host, options.port).to_socket_addrs();
    let addresses: Vec<SocketAddr> = found.map_or(Vec::new(), Iterator::collect);
    if addresses.is_empty() {
        let what = format!("`{}` is no address of this machine", options.host);
        return Err(Error::new(Kind::Usage, what, Remedy::ListenElsewhere));
    }
    match addresses.iter().find(|one| !one.ip().is_loopback()) {
        Some(far) if options.token.is_none() => {
            let what = format!("{} can be reached from other machines, and there is no token", far.ip());
            Err(Error::new(Kind::Usage, what, Remedy::GiveToken))
        }
        _ => Ok(addresses),
    }
}

async fn listen(addresses: &[SocketAddr], options: &ServeOptions) -> Result<(TcpListener, SocketAddr)> {
    let bound = match TcpListener::bind(addresses).await {
        Ok(listener) => listener.local_addr().map(|local| (listener, local)),
        Err(cause) => Err(cause),
    };
    bound.map_err(|cause| {
        let what = format!("cannot listen on {}:{}: {cause}", options.host, options.port);
        Error::new(Kind::Usage, what, Remedy::ListenElsewhere).caused_by(cause.kind())
    })
}

/// Takes connections until the process is asked to end, and lets those that are open come to an end.
async fn run(listener: TcpListener, app: App) {
    let (router, open) = (router(Arc::new(app)), GracefulShutdown::new());
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut asked_to_end = std::pin::pin!(asked_to_end());
    loop {
        let next = async { (places.clone().acquire_owned().await, listener.accept().await) };
        let (place, accepted) = tokio::select! {
            () = &mut asked_to_end => break,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(AFTER_REFUSAL).await;
            continue;
        };
        let connection = open.watch(connection(stream, router.clone()));
        tokio::spawn(async move {
            // A client that goes away, or writes no HTTP, is its own affair.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = open.shutdown() => {}
        () = tokio::time::sleep(LAST_ANSWERS) => {}
    }
}

type Connection = http1::Connection<TokioIo<TcpStream>, TowerToHyperService<axum::Router>>;

fn connection(stream: TcpStream, router: axum::Router) -> Connection {
    // Answers are small and go out whole: waiting for more to send only delays them.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}

/// Comes back when the process is asked to end.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
