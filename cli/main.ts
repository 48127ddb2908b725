#!/usr/bin/env node
// The `reclaim` command: its surroundings are this process.
import { homedir } from "node:os";
import { exitCodes } from "@/cli/exit-codes";
import { run } from "@/cli/run";
import { loadEnvironmentConfig } from "@/cli/surroundings";

const interruption = new AbortController();
process.on("SIGINT", () => {
  // Asked twice: whatever holds it up is not waited for.
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted.code);
  interruption.abort();
});
// Whoever reads the output has read enough, such as `head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? exitCodes.ok.code : exitCodes.failed.code),
);

void run({
  args: process.argv.slice(2),
  environment: loadEnvironmentConfig(process.env),
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => new Date(),
  interrupted: interruption.signal,
}).then((code) => {
  process.exitCode = code;
});
