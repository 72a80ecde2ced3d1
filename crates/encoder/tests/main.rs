//! One test program with a module for each file, so that cargo links once.

mod damaged;
mod tokenizer;
mod vectors;

use std::path::Path;
use whichfn_encoder::Encoder;
pub(crate) use whichfn_testing::small_model::*;

/// Opens a model, or returns the message of the error.
pub(crate) fn open(folder: &Path) -> Result<Encoder, String> {
    Encoder::open(folder).map_err(|error| error.to_string())
}

/// Writes a model and opens it.
pub(crate) fn opened(model: &Model) -> Encoder {
    open(model.write(&model.weights()).path()).expect("a valid model")
}
