// Confirms that a machine whose BMC or firmware names it differently is the same machine (docs/machine-names.md).
import { names as contract } from "@/server/contract/hosts/names";
import { nameText, sourceWords } from "@/server/domain/hosts/names/names";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { readNames } from "@/server/usecases/hosts/names/read-names";
import { refused } from "@/server/usecases/problem";

export const confirmNames = defineAct({
  ...contract.confirm,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const found = await readNames(tx, hostId);
    return found === null ? null : { id: hostId, belongs: { tenantId: null }, value: found };
  },
  run: async ({ tx, actor }, { own, pending, problem, evidence: now }, { hostId, evidence, reason }) => {
    // safety: names: what cannot be confirmed is not
    if (problem !== null) return { ok: false, problem };
    // safety: names: what is confirmed is what was seen
    if (now !== evidence)
      return refused(
        "conflict",
        "The names have changed again since you read them. Read them again.",
        "evidence",
      );
    const confirmed = pending.flatMap(({ source, names }) => names.map((name) => ({ ...name, source })));
    const mark = { confirmedAt: new Date(), confirmedBy: actor.name, reason };
    for (const { source, kind, value } of confirmed)
      await tx.hostName.update({
        where: { hostId_source_kind_value: { hostId, source, kind, value } },
        data: mark,
      });
    const words = confirmed.map((name) => `${nameText(name)} (${sourceWords[name.source]})`);
    // Another firmware or mainboard runs than was proven.
    await touchUnallocated(tx, [hostId], `it was confirmed to be the same machine with ${words.join(", ")}`);
    return acted({
      value: { confirmed: words },
      targetId: hostId,
      tenantId: null,
      before: { serial: own.serial, systemUuid: own.systemUuid },
      after: { confirmed: words, reason },
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
