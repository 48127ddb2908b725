// Takes a host out of allocation for a reason that a person gives; only a person ends it.
import { host as contract } from "@/server/contract/hosts/host";
import { unchanged, defineAct } from "@/server/usecases/define-act";
import {
  findMaintained,
  tellMaintenance,
  writeMaintenance,
} from "@/server/usecases/hosts/maintenance/maintenance";

export const setMaintenance = defineAct({
  ...contract.setMaintenance,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findMaintained(tx, hostId),
  run: async ({ tx, actor }, host, { reason }) => {
    if (host.maintenance && host.by === "person" && host.reason === reason)
      return unchanged({ accepted: true as const });
    await writeMaintenance(tx, [host.hostId], { kind: "set", reason, personId: actor.personId });
    return tellMaintenance(tx, host, { maintenance: true, reason });
  },
});
