#!/usr/bin/env node
// Entry point of the `reclaim` command, run with this process's surroundings.
import { homedir } from "node:os";
import { exitCodes } from "@/cli/exit-codes";
import { run } from "@/cli/run";
import { loadEnvironmentConfig } from "@/cli/surroundings";

const interruption = new AbortController();
process.on("SIGINT", () => {
  // On the second Ctrl-C, exit without waiting for anything.
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted.code);
  interruption.abort();
});
// The reader of our output closed the pipe because it has read enough, such as `head`.
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
