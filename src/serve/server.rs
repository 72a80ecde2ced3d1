//! The socket: listens on an address, limits the number of connections and the time to receive a
//! request, and shuts down.

use super::app::App;
use super::guard::Guard;
use super::routes::router;
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
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Maximum number of simultaneous connections; other clients wait until one ends.
const MOST_CONNECTIONS: usize = 512;
/// Maximum time to receive the headers of a request, and maximum idle time of a connection.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// Maximum time to finish answers in progress when the server shuts down.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// Pause before the next connection is accepted after the system refused a connection (no more file
/// descriptors).
const AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// Minimum length of a token in characters: shorter ones can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Address of a server, and its access control.
#[derive(Clone)]
pub struct ServeOptions {
    /// Name or address of this machine.
    pub host: String,
    /// Port; 0 for any free port.
    pub port: u16,
    /// Token that clients must send; `None` on loopback to allow every program on this machine.
    pub token: Option<String>,
}

/// Serves until the process receives a signal to end; calls `ready` with the address as soon as
/// clients may connect.
///
/// # Errors
/// Returns an error if the address does not belong to this machine, is in use, or is reachable from
/// other machines and there is no token.
pub fn serve(repositories: Repositories, options: &ServeOptions, ready: impl FnOnce(&str) -> Result<()>) -> Result<()> {
    let addresses = allowed(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| {
        Error::new(Kind::Usage, format!("the server cannot start: {cause}"), "check the limits of this process")
    })?;
    let served = runtime.block_on(async {
        let (listener, local) = listen(&addresses, options).await?;
        let guard = Guard::new(options.host.clone(), local, options.token.clone());
        ready(&guard.address())?;
        repositories.begin();
        run(listener, App::new(repositories, guard)).await;
        Ok(())
    });
    // Work on a new index is abandoned; the former index stays.
    runtime.shutdown_background();
    served
}

/// Returns the addresses to try, if the options permit listening on them.
fn allowed(options: &ServeOptions) -> Result<Vec<SocketAddr>> {
    if let Some(token) = &options.token
        && (token.len() < SHORTEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()))
    {
        let what = format!("the token must be {SHORTEST_TOKEN} or more letters, digits and punctuation characters");
        return Err(Error::new(Kind::Usage, what, Remedy::GiveToken));
    }
    let host = options.host.trim_matches(['[', ']']);
    let found = (host, options.port).to_socket_addrs();
    let addresses: Vec<SocketAddr> = found.map_or(Vec::new(), Iterator::collect);
    if addresses.is_empty() {
        let what = format!("`{}` is not an address of this machine", options.host);
        return Err(Error::new(Kind::Usage, what, Remedy::ListenElsewhere));
    }
    match addresses.iter().find(|one| !one.ip().is_loopback()) {
        Some(far) if options.token.is_none() => {
            let what = format!("{} can be reached from other machines, but no token is set", far.ip());
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

/// Accepts connections until the process receives a signal to end, and lets open ones finish.
async fn run(listener: TcpListener, app: App) {
    let (router, open) = (router(Arc::new(app)), GracefulShutdown::new());
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut shutdown_signal = std::pin::pin!(shutdown_signal());
    loop {
        let next = async { (places.clone().acquire_owned().await, listener.accept().await) };
        let (place, accepted) = tokio::select! {
            () = &mut shutdown_signal => break,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(AFTER_REFUSAL).await;
            continue;
        };
        let connection = open.watch(connection(stream, router.clone()));
        tokio::spawn(async move {
            // A client that disconnects, or sends invalid HTTP, is not an error of the server.
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
    // Answers are small and written at once, so Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}

/// Returns when the process receives a signal to end.
async fn shutdown_signal() {
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
