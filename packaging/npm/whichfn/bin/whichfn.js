#!/usr/bin/env node
// Runs the program from the package of this platform, with the same arguments, streams and exit status.
"use strict";
const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`whichfn-${platform}/bin/whichfn${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`whichfn: no package for ${platform} is installed`);
  console.error(" next: npm install whichfn --include=optional, or cargo install whichfn");
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends these signals to both processes. The child ends, and this process ends with its status.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`whichfn: cannot run ${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
