// Withdraws a name that a person confirmed: it is the host's no longer (docs/machine-names.md).
import { names as contract } from "@/server/contract/hosts/names";
import { nameText, sameName, sourceWords } from "@/server/domain/hosts/names/names";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { readNames } from "@/server/usecases/hosts/names/read-names";
import { refused } from "@/server/usecases/problem";

export const withdrawName = defineAct({
  ...contract.withdraw,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const found = await readNames(tx, hostId);
    return found === null ? null : { id: hostId, belongs: { tenantId: null }, value: found };
  },
  run: async ({ tx }, { told }, { hostId, kind, value, reason }) => {
    const withdrawn = told.filter((name) => name.confirmedAt !== null && sameName(name, { kind, value }));
    if (withdrawn.length === 0)
      return refused("notAllowedNow", `${nameText({ kind, value })} is not a confirmed name of this host.`);
    const open = await tx.reclamation.findFirst({ where: { hostId, endedAt: null }, select: { id: true } });
    // What an agent under this name has proven so far would go on to count.
    if (open !== null)
      return refused(
        "notAllowedNow",
        "A reclamation of this host is open, and what it proves may rest on this name. Abort it, or use Manage where it has failed; then withdraw the name, and provide the host again.",
      );
    for (const name of withdrawn)
      await tx.hostName.update({
        where: {
          hostId_source_kind_value: { hostId, source: name.source, kind: name.kind, value: name.value },
        },
        data: { confirmedAt: null, confirmedBy: null, reason: null },
      });
    const words = withdrawn.map((name) => `${nameText(name)} (${sourceWords[name.source]})`);
    // What was proven may be another machine.
    await touchUnallocated(tx, [hostId], `${words.join(", ")} was withdrawn as its name`);
    return acted({
      value: { withdrawn: words },
      targetId: hostId,
      tenantId: null,
      before: {
        confirmed: withdrawn.map((name, index) => ({
          name: words[index] ?? "",
          by: name.confirmedBy,
          at: name.confirmedAt?.toISOString() ?? null,
          reason: name.reason,
        })),
      },
      after: { confirmed: [], reason },
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
