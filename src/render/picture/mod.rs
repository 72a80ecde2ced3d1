//! Renders pictures of the graph in the formats of common tools.

mod dot;
mod graphml;
mod html;
mod json;
mod mermaid;

pub use dot::dot;
pub use graphml::graphml;
pub use html::{PageLinks, graph_page};
pub use json::{named_node, picture};
pub use mermaid::mermaid;
