// Packs the npm packages: one for each given platform, and `whichfn`, which runs the program of the current platform.
//
//   node packaging/npm/pack.mjs OUT PLATFORM=PROGRAM ...     (PLATFORM is linux-x64, darwin-arm64, win32-x64, ...)
//
// The version is that of Cargo.toml. OUT receives a .tgz file for each package. Upload them with `npm publish FILE`, the
// packages of the platforms first.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const [out, ...programs] = process.argv.slice(2);
if (!out || programs.length === 0) {
  console.error("usage: node packaging/npm/pack.mjs OUT PLATFORM=PROGRAM ...");
  process.exit(2);
}
const version = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.+)"$/m)[1];
const main = JSON.parse(readFileSync(join(here, "whichfn/package.json"), "utf8"));
const work = mkdtempSync(join(tmpdir(), "whichfn-npm-"));
mkdirSync(out, { recursive: true });

function pack(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]) cpSync(join(root, file), join(folder, file));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(out)], { cwd: folder, stdio: "inherit" });
}

const optionalDependencies = {};
for (const given of programs) {
  const [platform, program] = given.split("=");
  const [os, cpu] = platform.split("-");
  const name = `whichfn-${platform}`;
  const folder = join(work, name);
  const file = join(folder, "bin", os === "win32" ? "whichfn.exe" : "whichfn");
  mkdirSync(dirname(file), { recursive: true });
  cpSync(program, file);
  chmodSync(file, 0o755);
  const { description, license } = main;
  pack(folder, { name, version, description: `${description} (the program for ${platform})`, license, os: [os], cpu: [cpu], files: ["bin", "NOTICE"] });
  optionalDependencies[name] = version;
}
const folder = join(work, "whichfn");
cpSync(join(here, "whichfn"), folder, { recursive: true });
cpSync(join(root, "README.md"), join(folder, "README.md"));
pack(folder, { ...main, version, optionalDependencies });
rmSync(work, { recursive: true });
