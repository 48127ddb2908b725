// `reclaim admin`: acts of a provider admin on the whole installation.
import { contract } from "@/server/contract/contract";
import { command } from "@/cli/define/command";
import { flag, needed, opt } from "@/cli/define/values";
import { confirm } from "@/cli/shell";
import { formatCounted } from "@/server/domain/numbers";

export const admin = command("admin after-restore", {
  title: contract.database.afterRestore.title,
  uses: ["database.afterRestore", "database.isCurrent"],
  options: {
    reason: needed(opt("<text>", "why, for example the ticket; kept in the audit log")),
    databaseIsCurrent: flag("no backup was restored: a server lost its RECLAIM_STATE_DIR"),
  },
  run: async (shell, { reason, databaseIsCurrent }) => {
    const { allocationStopped } = await shell.client.session.me.query();
    const facts = allocationStopped === null ? [] : [allocationStopped];
    if (databaseIsCurrent === true) {
      await confirm(
        shell,
        [
          ...facts,
          "You confirm that this database is not a restored backup. If it is one, hosts with a tenant's data may be Ready.",
        ],
        "Confirm this?",
      );
      await shell.client.database.isCurrent.mutate({ reason });
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
    const { epoch, hosts } = await shell.client.database.afterRestore.mutate({ reason });
    shell.printer.say(
      `Epoch ${epoch} is open. ${formatCounted(hosts, "host")} ${hosts === 1 ? "has" : "have"} a sanitization debt. Allocation resumes with hosts that are cleaned from now on.`,
    );
  },
});
