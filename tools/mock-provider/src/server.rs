//! HTTP on loopback: takes a request in, has it recorded, then answered. hyper speaks the
//! protocol; one thread with a current-thread runtime serves all connections.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::api::{self, Api, Failure, Reply};
use crate::record::{self, Log, Recorded, Recorder};
use crate::sse::Frames;

/// What the provider is to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; only a loopback address is taken. Default: 127.0.0.1 and any free port.
    pub listen: SocketAddr,
    /// Where requests are recorded. Default: in memory.
    pub log: Log,
    /// The file that a tool call asks for as long as a request holds no tool result.
    /// Default: none, and every answer is text.
    pub read_file: Option<String>,
    /// Longest body in bytes; a longer one is answered 413. Default: 64 MiB.
    pub max_body: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            log: Log::Memory,
            read_file: None,
            max_body: 64 << 20,
        }
    }
}

/// The provider; [`MockProvider::start`] is all there is to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct MockProvider;

impl MockProvider {
    /// Starts a provider on a thread of its own. It listens when this returns.
    ///
    /// # Errors
    /// `listen` is not a loopback address or is taken; the log cannot be opened; the thread or
    /// its runtime cannot be made.
    pub fn start(config: Config) -> io::Result<Handle> {
        if !config.listen.ip().is_loopback() {
            let message = format!("{}: not a loopback address", config.listen);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let recorder = Arc::new(Recorder::open(&config.log)?);
        let listener = TcpListener::bind(config.listen)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", config.listen)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;

        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let provider = Arc::new(Provider {
            recorder: Arc::clone(&recorder),
            read_file: config.read_file,
            max_body: config.max_body,
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new()
            .name("mock-provider".into())
            .spawn(move || {
                runtime.spawn(accept(listener, provider));
                // Ends when the handle drops its sender; dropping the runtime ends the connections.
                let _ = runtime.block_on(stopped);
            })?;
        Ok(Handle {
            address,
            recorder,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

/// A running provider. Dropping it stops the provider and frees the port.
pub struct Handle {
    address: SocketAddr,
    recorder: Arc<Recorder>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// `http://127.0.0.1:PORT`, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests this provider has recorded, oldest first.
    ///
    /// # Errors
    /// The log file cannot be read back, or something else has written to it.
    pub fn requests(&self) -> io::Result<Vec<Recorded>> {
        self.recorder.requests()
    }

    /// The log file, where there is one.
    pub fn log_path(&self) -> Option<&Path> {
        self.recorder.path()
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // The thread cannot end while this handle holds the sender, unless it panics.
            let _ = thread.join();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

struct Provider {
    recorder: Arc<Recorder>,
    read_file: Option<String>,
    max_body: usize,
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

async fn accept(listener: tokio::net::TcpListener, provider: Arc<Provider>) {
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            // A connection that broke before it was taken, or no file handle free: let the
            // other connections get on, then try again.
            tokio::task::yield_now().await;
            continue;
        };
        // Without it small frames of a stream wait for each other; failing is no harm.
        let _ = socket.set_nodelay(true);
        let provider = Arc::clone(&provider);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let provider = Arc::clone(&provider);
                async move { Ok::<_, Infallible>(provider.serve(request).await) }
            });
            // What breaks a connection is the client's to tell.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), service)
                .await;
        });
    }
}

impl Provider {
    async fn serve(&self, request: Request<Incoming>) -> Answer {
        let (head, body) = request.into_parts();
        if head.method == Method::GET && head.uri.path() == "/" {
            return plain(
                StatusCode::OK,
                &json!({"status": "ok", "server": "mock-provider"}),
            );
        }
        let target = head
            .uri
            .path_and_query()
            .map_or(head.uri.path(), |target| target.as_str());
        let (body, end) = collect(body, self.max_body).await;

        let whole = end == End::Whole;
        let line = record::line(head.method.as_str(), target, &head.headers, &body, whole);
        let api = Api::of(head.uri.path(), head.uri.query());
        if let Err(error) = self.recorder.append(line) {
            let message = format!("the log cannot be written: {error}");
            return failure(
                api.as_ref(),
                &Failure::new(StatusCode::INTERNAL_SERVER_ERROR, message),
            );
        }
        if head.method != Method::POST {
            let refused =
                Failure::new(StatusCode::METHOD_NOT_ALLOWED, "only POST is answered here");
            let mut answer = failure(api.as_ref(), &refused);
            answer
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("POST"));
            return answer;
        }
        match self.answer(api.as_ref(), &body, end) {
            Ok(answer) => answer,
            Err(refused) => failure(api.as_ref(), &refused),
        }
    }

    fn answer(&self, api: Option<&Api>, body: &[u8], end: End) -> Result<Answer, Failure> {
        match end {
            End::Whole => {}
            End::TooLong => {
                let message = format!("the request is longer than {} bytes", self.max_body);
                return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
            }
            End::Broken => return Err(Failure::bad_request("the request broke off")),
        }
        let api = api.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "unknown request URL"))?;
        // serde_json's message is left out: it may quote the body.
        let request: Value = serde_json::from_slice(body)
            .map_err(|_| Failure::bad_request("the request body is not valid JSON"))?;
        Ok(match api.answer(&request, self.read_file.as_deref())? {
            Reply::Json(value) => plain(StatusCode::OK, &value),
            Reply::Stream {
                content_type,
                frames,
            } => respond(
                StatusCode::OK,
                content_type,
                BoxBody::new(Frames::new(frames)),
            ),
        })
    }
}

/// How a body ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// Longer than the limit.
    TooLong,
    /// The client went away, or sent something that is no HTTP body.
    Broken,
}

/// Reads a body, of which at most `limit` bytes are kept. A longer one is still taken in, up to
/// four times the limit, as a client that is writing does not yet read the answer.
async fn collect(mut body: Incoming, limit: usize) -> (Vec<u8>, End) {
    let mut kept = Vec::new();
    let mut taken: usize = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return (kept, End::Broken);
        };
        let Some(data) = frame.data_ref() else {
            continue;
        };
        let free = limit - kept.len();
        kept.extend_from_slice(data.get(..free).unwrap_or(data));
        taken = taken.saturating_add(data.len());
        if taken > limit.saturating_mul(4) {
            break;
        }
    }
    let end = if taken > limit {
        End::TooLong
    } else {
        End::Whole
    };
    (kept, end)
}

fn failure(api: Option<&Api>, failure: &Failure) -> Answer {
    plain(failure.status, &api::error_body(api, failure))
}

fn plain(status: StatusCode, value: &Value) -> Answer {
    let body = Full::new(Bytes::from(value.to_string()));
    respond(status, "application/json", BoxBody::new(body))
}

fn respond(
    status: StatusCode,
    content_type: &'static str,
    body: BoxBody<Bytes, Infallible>,
) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}
