// `npm run bench`: installs and builds what is missing, then runs the bench on the pinned Node.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pinnedNode, root } from "./folders.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";

const args = process.argv.slice(2);
if (!args.includes("--help")) {
  // On standard error, because standard output is for the result only.
  const say = (/** @type {string} */ what) => process.stderr.write(`  ${what} …\n`);
  if (needsInstall()) {
    say("Installing packages");
    await install();
  }
  if (needsGenerate()) {
    say("Generating the database client");
    await generate();
  }
  if (needsBuild()) {
    say("Building");
    await runBuild();
  }
}
const child = spawn(pinnedNode, ["--import", "tsx", join(root, "bench", "main.ts"), ...args], {
  cwd: root,
  stdio: "inherit",
});
// Ctrl-C reaches the child too, and it stops what it has started; we only wait for it.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.once("exit", (code) => process.exit(code ?? 1));
