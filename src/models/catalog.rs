//! Models that can be installed by name.

/// A model that can be installed by name.
#[derive(Debug)]
pub struct CatalogModel {
    /// Name in commands.
    pub name: &'static str,
    /// Repository on Hugging Face or on a server with the same paths.
    pub repository: &'static str,
    /// Name of its licence.
    pub licence: &'static str,
    /// Number of parameters, in words.
    pub parameters: &'static str,
    /// What it gained where it was measured, in words.
    pub gain: &'static str,
    /// Its files.
    pub files: &'static [CatalogFile],
}

/// A file of a model. The checksum determines its content, so it does not matter which server sends it.
#[derive(Debug)]
pub struct CatalogFile {
    /// Path in the repository and in the installed model.
    pub path: &'static str,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: &'static str,
}

impl CatalogModel {
    /// Returns the size of all files in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Returns the model with a name or the name of its repository.
    pub fn named(name: &str) -> Option<&'static Self> {
        CATALOG.iter().find(|model| model.name == name || model.repository == name)
    }
}

/// All models that can be installed by name; the first is the default.
pub const CATALOG: &[CatalogModel] = &[CatalogModel {
    name: "all-MiniLM-L6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    licence: "Apache-2.0",
    parameters: "22 million",
    gain: "mean reciprocal rank of 127 phrases .672 instead of .666, not certain",
    files: &[
        CatalogFile {
            path: "config.json",
            size: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        CatalogFile {
            path: "modules.json",
            size: 349,
            sha256: "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
        },
        CatalogFile {
            path: "vocab.txt",
            size: 231_508,
            sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        },
        CatalogFile {
            path: "1_Pooling/config.json",
            size: 190,
            sha256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
        CatalogFile {
            path: "model.safetensors",
            size: 90_868_376,
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
}];
