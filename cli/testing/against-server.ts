// For tests: the command, and a server that it talks to.
import { afterAll, beforeAll } from "vitest";
import { buildCommand, createCommand } from "@/cli/testing/command";
import type { BuiltCommand, Ended, TestCommand } from "@/cli/testing/command";
import { roles, type Role } from "@/server/domain/access/roles";
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

/** Runs the command in this process. */
export const startAgainstServer = async (): Promise<AgainstServer> =>
  together(await startConsoleServer(), createCommand());

/** Runs the command as separate processes, from the output of `npm run build`. */
export async function startBuiltAgainstServer(): Promise<AgainstServer<BuiltCommand>> {
  const [server, command] = await Promise.all([startConsoleServer(), buildCommand()]);
  return together(server, command);
}

/** A server and the command for a whole test file, with a token for each role. */
export function commandByRole() {
  let against: AgainstServer | undefined;
  const tokens = new Map<Role, string>();
  const started = (): AgainstServer => {
    if (against === undefined) throw new Error("the server starts before the first test");
    return against;
  };
  beforeAll(async () => {
    against = await startAgainstServer();
    for (const role of roles) tokens.set(role, await against.server.token(role));
  });
  afterAll(() => against?.stop());
  return {
    started,
    as: (role: Role, ...args: string[]): Promise<Ended> =>
      started().command.run(args, { url: started().server.url, token: tokens.get(role) ?? "" }),
    database: () => started().server.world.backend.database,
  };
}
