// Checks a Ready host again because a person wants it: the way of a host that may have been touched (docs/adr/0028-recheck-after-maintenance.md).
import { sql } from "kysely";
import { host as contract } from "@/server/contract/hosts/host";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { defineAct } from "@/server/usecases/define-act";
import { movedOn } from "@/server/usecases/hosts/acts/request-of-host";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import {
  findMaintained,
  tellMaintenance,
  touchUnallocated,
} from "@/server/usecases/hosts/maintenance/maintenance";
import { refused, sentence } from "@/server/usecases/problem";

export const recheckHost = defineAct({
  ...contract.recheck,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findMaintained(tx, hostId),
  run: async ({ tx, actor }, host, { reason, stateVersion }) => {
    const facts = await readHostFacts(tx, sql`r.host_id = ${host.hostId}::uuid`);
    if (facts === null) throw new Error(`host ${host.hostId} is locked and has no facts`);
    const moved = movedOn(facts, stateVersion);
    if (moved !== null) return moved;
    const { maintenance: on, by, touchUncovered } = host;
    const why = actionRefusal("recheck", facts, { on, by, touchUncovered });
    if (why !== null) return refused("notAllowedNow", sentence(why));
    const { hardwareType } = await tx.host.findUniqueOrThrow({
      where: { id: host.hostId },
      select: { hardwareType: true },
    });
    if (isFake({ hardwareType }))
      return refused("notAllowedNow", "There is no machine to check: the host is of the type fake.");
    await touchUnallocated(tx, [host.hostId], `${actor.name} wants it checked again: ${reason}`);
    return tellMaintenance(tx, host, { recheck: true, reason });
  },
});
