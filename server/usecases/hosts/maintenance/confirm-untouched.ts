// Ends maintenance without a recheck, on a person's word that nobody touched the host; who and why is recorded (docs/adr/0028-recheck-after-maintenance.md).
import { sql } from "kysely";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import { host as contract } from "@/server/contract/hosts/host";
import { defineAct } from "@/server/usecases/define-act";
import { movedOn } from "@/server/usecases/hosts/acts/request-of-host";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import {
  findMaintained,
  tellMaintenance,
  writeMaintenance,
} from "@/server/usecases/hosts/maintenance/maintenance";
import { refused, sentence } from "@/server/usecases/problem";

/** Who set the maintenance could have worked on the host in it. Where it is not known who that was, nobody is known to be another person. */
const isSecondPerson = (personId: string | null, people: readonly string[]): boolean =>
  personId !== null && people.length > 0 && !people.includes(personId);

const notAlone =
  "Another person than who set this maintenance must state that nobody touched the host. End maintenance without the statement, and the host is checked again.";

export const confirmUntouched = defineAct({
  ...contract.confirmUntouched,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findMaintained(tx, hostId),
  run: async ({ tx, actor }, host, { reason, stateVersion, maintenanceReason }) => {
    const facts = await readHostFacts(tx, sql`r.host_id = ${host.hostId}::uuid`);
    if (facts === null) throw new Error(`host ${host.hostId} is locked and has no facts`);
    const moved = movedOn(facts, stateVersion);
    if (moved !== null) return moved;
    const why = actionRefusal("confirmUntouched", facts, {
      on: host.maintenance,
      by: host.by,
      touchUncovered: host.touchUncovered,
    });
    if (why !== null) return refused("notAllowedNow", sentence(why));
    // safety: recheck: who set maintenance does not state alone that nobody touched the host
    if (!isSecondPerson(actor.personId, host.people)) return refused("notAllowedNow", notAlone);
    if (maintenanceReason !== undefined && maintenanceReason !== host.reason)
      return refused(
        "conflict",
        `The maintenance has changed since you looked; its reason is now: ${host.reason ?? "none given"}`,
        "maintenanceReason",
      );
    await writeMaintenance(tx, [host.hostId], { kind: "endUntouched" });
    const serial = await tx.host.findUnique({ where: { id: host.hostId }, select: { serial: true } });
    await tx.untouchedStatement.create({
      data: {
        hostId: host.hostId,
        hostSerial: serial?.serial ?? null,
        state: host.state,
        maintenanceReason: host.reason,
        reason,
        personId: actor.personId,
        personName: actor.name,
      },
      select: { id: true },
    });
    return tellMaintenance(tx, host, { maintenance: false, untouched: true, reason });
  },
});
