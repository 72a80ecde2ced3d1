//! Replaces the embedding functions in a build without embeddings. They return an error if the user
//! names a model.

use super::{Choice, Embedder};
use whichfn_system::error::{Error, Kind, Remedy, Result};

pub(super) fn digest(choice: &Choice) -> Result<u128> {
    Err(not_built(choice))
}

pub(super) fn load(choice: &Choice) -> Result<Box<dyn Embedder>> {
    Err(not_built(choice))
}

fn not_built(choice: &Choice) -> Error {
    Error::new(
        Kind::Model,
        format!("{}: this build of whichfn cannot run embedding models", choice.model),
        Remedy::InstallEmbedding,
    )
}
