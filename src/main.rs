//! Entry point of the `whichfn` program.

fn main() -> std::process::ExitCode {
    whichfn::cli::run(std::env::args_os())
}
