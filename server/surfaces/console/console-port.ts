// Where Next's bundles find the console's server code. It imports types only, so that no bundle has a copy of the code (docs/adr/0117-console-code-once.md).
import { perProcess } from "@/server/process/process-state";
import type { ConsoleServer } from "@/server/surfaces/console/console-server";

/** The one of this process. Throws where the server program did not make one: nothing else serves the console's pages. */
export function consoleServer(): ConsoleServer {
  return perProcess("consoleServer", () => {
    throw new Error("the console is served by dist/server.js only");
  });
}
