// For tests: the command and a server that it speaks to.
import { buildCommand, createCommand } from "@/cli/testing/command";
import type { BuiltCommand, TestCommand } from "@/cli/testing/command";
import { startConsoleServer, type ConsoleServer } from "@/server/surfaces/web/testing/console-server";

export interface AgainstServer<Command extends TestCommand = TestCommand> {
  readonly server: ConsoleServer;
  readonly command: Command;
  stop(): Promise<void>;
}

const together = <Command extends TestCommand>(
  server: ConsoleServer,
  command: Command,
): AgainstServer<Command> => ({
  server,
  command,
  stop: () => {
    command.remove();
    return server.stop();
  },
});

/** The command runs in this process. */
export const startAgainstServer = async (): Promise<AgainstServer> =>
  together(await startConsoleServer(), createCommand());

/** The command runs as processes of what `npm run build` makes. */
export async function startBuiltAgainstServer(): Promise<AgainstServer<BuiltCommand>> {
  const [server, command] = await Promise.all([startConsoleServer(), buildCommand()]);
  return together(server, command);
}
