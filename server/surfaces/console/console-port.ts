// Where Next's bundles find the console's server code. It imports only types, so that no bundle contains a copy of the code (docs/adr/0017-one-per-process.md).
import { perProcess } from "@/server/process/process-state";
import type { ConsoleServer } from "@/server/surfaces/console/console-server";

/** The console server of this process. Throws if the server program did not make one: nothing else serves the console's pages. */
export function consoleServer(): ConsoleServer {
  return perProcess("consoleServer", () => {
    throw new Error("the console is served by dist/server.js only");
  });
}
