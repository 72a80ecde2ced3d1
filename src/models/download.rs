//! Downloads the files of a model, continues interrupted downloads, and compares checksums.

use super::catalog::{CatalogFile, CatalogModel};
use super::{Installing, NO_DOWNLOAD, create, hex, io_error};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;
use ureq::tls::{RootCerts, TlsConfig};
use whichfn_system::error::{Error, Kind, Result};

/// Time without any data after which a download fails.
const SILENCE: Duration = Duration::from_secs(60);
/// Status of an answer with the rest of a file.
const PARTIAL: u16 = 206;

/// Downloads the files that `folder` lacks from a server with the paths of huggingface.co.
///
/// # Errors
/// Returns an error if a server does not send a file, the file cannot be written, or it has another
/// checksum than the catalog says. What has arrived of the file is kept, unless its checksum differs.
pub(super) fn fetch(model: &CatalogModel, server: &str, folder: &Path, progress: Installing<'_>) -> Result<()> {
    let server = server.trim_end_matches('/');
    let config = ureq::Agent::config_builder()
        .user_agent(concat!("whichfn/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        .accept_encoding("identity")
        // Companies put their own certificates into the system's store.
        .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
        .timeout_connect(Some(SILENCE))
        .timeout_per_read(Some(SILENCE));
    let agent = config.build().new_agent();
    let mut done = 0;
    for file in model.files {
        let url = format!("{server}/{}/resolve/main/{}", model.repository, file.path);
        let download = Download { agent: &agent, url: &url, file };
        download.run(&folder.join(file.path), &|bytes| progress(done + bytes, model.size()))?;
        done += file.size;
    }
    Ok(())
}

/// The download of one file.
struct Download<'a> {
    agent: &'a ureq::Agent,
    url: &'a str,
    file: &'a CatalogFile,
}

impl Download<'_> {
    fn run(&self, path: &Path, progress: &dyn Fn(u64)) -> Result<()> {
        path.parent().map_or(Ok(()), create)?;
        if fs::metadata(path).is_ok_and(|file| file.len() == self.file.size) && self.has_checksum(path)? {
            progress(self.file.size);
            return Ok(());
        }
        self.receive(path, progress)?;
        if self.has_checksum(path)? {
            return Ok(());
        }
        fs::remove_file(path).map_err(|cause| io_error("remove", path, &cause))?;
        let what = format!("{} is not the file that this version of whichfn knows: its checksum differs", self.url);
        Err(Error::new(Kind::Model, what, "run the command again, or check HF_ENDPOINT and the proxy"))
    }

    /// Adds what the file lacks.
    fn receive(&self, path: &Path, progress: &dyn Fn(u64)) -> Result<()> {
        let written = |cause: io::Error| io_error("write", path, &cause);
        let mut file = File::options().create(true).truncate(false).write(true).open(path).map_err(written)?;
        let known = file.metadata().map_err(written)?.len();
        let known = if known < self.file.size { known } else { 0 };
        let mut request = self.agent.get(self.url);
        if known > 0 {
            request = request.header("Range", format!("bytes={known}-"));
        }
        let failed = |cause: &dyn std::fmt::Display| {
            let what = format!("cannot download {}: {cause}", self.url);
            Error::new(Kind::Model, what, NO_DOWNLOAD)
        };
        let mut response = request.call().map_err(|cause| failed(&cause))?;
        let status = response.status().as_u16();
        if !matches!(status, 200 | PARTIAL) {
            return Err(failed(&format!("the server answers with status {status}")));
        }
        // A server that does not know `Range` sends the file from its start.
        let mut at = if status == PARTIAL { known } else { 0 };
        file.set_len(at).and_then(|()| file.seek(SeekFrom::Start(at))).map_err(written)?;
        // One byte more shows that the file is too long.
        let mut body = response.body_mut().as_reader().take(self.file.size + 1 - at);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = body.read(&mut buffer).map_err(|cause| failed(&cause))?;
            if count == 0 {
                break;
            }
            file.write_all(&buffer[..count]).map_err(written)?;
            at += count as u64;
            progress(at.min(self.file.size));
        }
        match at < self.file.size {
            true => Err(failed(&format!("the server sent {at} of {} bytes", self.file.size))),
            false => Ok(()),
        }
    }

    fn has_checksum(&self, path: &Path) -> Result<bool> {
        let read = |cause: io::Error| io_error("read", path, &cause);
        let (mut file, mut digest, mut buffer) = (File::open(path).map_err(read)?, Sha256::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer).map_err(read)? {
                0 => break,
                count => digest.update(&buffer[..count]),
            }
        }
        Ok(hex(&digest.finalize()) == self.file.sha256)
    }
}
