//! Typed numbers. A file, a definition and a syntax node are all a `u32`; mixing two would be silent and would
//! ruin a ranking, so each has a type of its own. Raw numbers appear here and in `store` only.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th item.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// The position of the item in its table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A file of the repository; files are numbered in order of their path.
    FileId
);
id!(
    /// A definition (function, type, module, text window), numbered by file, then by place.
    DefinitionId
);
id!(
    /// A node of the structure graph: directories, then files, then syntax nodes.
    NodeId
);
