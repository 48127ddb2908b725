// The command line as its documentation is held against: every command and option, and none of them run.
import { PassThrough } from "node:stream";
import { createProgram } from "@/cli/program";
import { loadEnvironmentConfig } from "@/cli/surroundings";

const stream = new PassThrough();

export const program = createProgram({
  args: [],
  environment: loadEnvironmentConfig({}),
  home: "/",
  stdin: stream,
  stdout: stream,
  stderr: stream,
  now: () => new Date(0),
  interrupted: new AbortController().signal,
});
