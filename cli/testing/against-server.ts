// For tests: the built command and a server that it speaks to.
import { buildCommand, type BuiltCommand } from "@/cli/testing/command";
import { startConsoleServer, type ConsoleServer } from "@/server/surfaces/web/testing/console-server";

export interface AgainstServer {
  readonly server: ConsoleServer;
  readonly command: BuiltCommand;
  stop(): Promise<void>;
}

export async function startAgainstServer(): Promise<AgainstServer> {
  const [server, command] = await Promise.all([startConsoleServer(), buildCommand()]);
  return {
    server,
    command,
    stop: () => {
      command.remove();
      return server.stop();
    },
  };
}
