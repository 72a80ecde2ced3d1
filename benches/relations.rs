//! scratch
#![allow(clippy::print_stdout)]
use std::time::Instant;
use whichfn::engine::Engine;
use whichfn::index::{Options, Silent};
use whichfn::relation::*;
fn main() {
    let root = std::env::args().nth(1).unwrap();
    let engine =
        Engine::open(std::path::Path::new(&root), std::path::Path::new("/tmp/s/idxF"), &Options::default(), &Silent)
            .unwrap();
    let graph = &engine.generation().graph;
    for unit in [FragmentUnit::Definition, FragmentUnit::Window] {
        for _ in 0..3 {
            let t = Instant::now();
            let fragments = Fragments::new(graph, unit);
            let members = fragments.members.clone();
            let structure = Structure::new(&fragments);
            let a = t.elapsed();
            let all: Vec<u32> = (0..fragments.count() as u32).filter(|&f| members[f as usize]).collect();
            let scores: Vec<f64> = (0..fragments.count())
                .map(|i| if members[i] { ((i * 2654435761) % 1000) as f64 / 100.0 } else { 0.0 })
                .collect();
            let t = Instant::now();
            let tree = structure.forest().sums(&scores, &all).iter().map(|s| s.mean()).collect::<Vec<_>>();
            let b = t.elapsed();
            let wanted: Vec<u32> = all.iter().copied().step_by(all.len() / 64).collect();
            let t = Instant::now();
            let env = structure.sums(&scores, &wanted).iter().map(|s| s.mean()).collect::<Vec<_>>();
            let c = t.elapsed();
            let t = Instant::now();
            let env2 = structure.sums(&scores, &wanted).iter().map(|s| s.mean()).collect::<Vec<_>>();
            let d = t.elapsed();
            assert_eq!(env, env2);
            println!(
                "{unit:?} fragments {} members {} build {a:?} tree env {b:?} env of {} {c:?} again {d:?} sum {}",
                fragments.count(),
                all.len(),
                wanted.len(),
                tree.iter().sum::<f64>()
            );
            let t = Instant::now();
            let n: usize = wanted.iter().map(|&w| structure.row(w).len()).sum();
            println!("rows {:?} {}", t.elapsed(), n / wanted.len());
            let diff: Vec<f64> = wanted
                .iter()
                .zip(&env)
                .map(|(w, e)| {
                    let at = all.binary_search(w).unwrap();
                    (tree[at] - e).abs() / e.max(1e-9)
                })
                .collect();
            println!(
                "mean rel diff by calls {:.4} max {:.4}",
                diff.iter().sum::<f64>() / diff.len() as f64,
                diff.iter().fold(0.0f64, |a, &b| a.max(b))
            );
        }
    }
}
