// `reclaim admin`: acts of a provider admin on the whole installation.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { counted } from "@/cli/output/text";

interface Asked {
  readonly reason: string;
  readonly databaseIsCurrent?: true;
}

export function addAdmin(program: Command, surroundings: Surroundings): void {
  const admin = program.command("admin").description("after-restore: continue after restoring a backup");
  admin
    .command("after-restore")
    .description(contract.database.afterRestore.title)
    .requiredOption("--reason <words>", "kept in the audit log, such as the ticket")
    .option("--database-is-current", "no backup was restored: a server lost its RECLAIM_STATE_DIR")
    .action(async (options: Asked, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { allocationStopped } = await shell.client.session.me.query();
      const facts = allocationStopped === null ? [] : [allocationStopped];
      if (options.databaseIsCurrent === true) {
        await confirm(
          shell,
          [
            ...facts,
            "You confirm that this database is not a restored backup. If it is one, hosts with a tenant's data may be Ready.",
          ],
          "State it?",
        );
        await shell.client.database.isCurrent.mutate({ reason: options.reason });
        return shell.printer.say("The database is marked as current. Allocation resumes.");
      }
      await confirm(
        shell,
        [
          ...facts,
          "Every host will get a sanitization debt. Hosts that are Ready or in progress stop in Failed/DatabaseRestored until a person resumes each; instances stay.",
        ],
        "Go on?",
      );
      const { epoch, hosts } = await shell.client.database.afterRestore.mutate({ reason: options.reason });
      shell.printer.say(
        `Epoch ${epoch} is open. ${counted(hosts, "host")} ${hosts === 1 ? "has" : "have"} a sanitization debt. Allocation resumes with hosts that are cleaned from now on.`,
      );
    });
}
