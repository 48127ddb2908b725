// Where Next's bundles find the console's server code. It imports only types, so that no bundle contains a copy of the code (docs/adr/0017-one-per-process.md).
import { givenToProcess } from "@/server/process/process-state";
import type { ConsoleServer } from "@/server/surfaces/console/console-server";

const given = givenToProcess<ConsoleServer>("console server");

/** Makes it available to Next's bundles. Throws if this process already has one. */
export const giveConsoleServer = given.give;

/** The console server of this process. Throws if the server program did not make one: nothing else serves the console's pages. */
export const consoleServer = given.get;
