// `npm run test:mutation`: disables each marked safety check in turn; a test must then fail. Arguments: words that a check's name
// must contain; `--changed` takes those in files changed in the last day of commits, `--most 150` draws that many; `--list` only lists, `--workers 1` uses little
// of the machine (docs/adr/0036-safety-checks-are-marked.md).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pinnedNode, root } from "./folders.mjs";

const script = join(root, "scripts", "testing", "mutation", "run.mjs");
const { status } = spawnSync(pinnedNode, [script, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
