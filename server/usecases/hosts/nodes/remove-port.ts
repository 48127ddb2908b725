// Removes a port from its host, with the MAC that it was booted by.
import { z } from "zod";
import { tellWithin } from "@/server/db/hot/signal";
import { acted, defineAct } from "@/server/usecases/define-act";
import { changeMac, lockPort } from "@/server/usecases/hosts/nodes/port-rows";

export const removePort = defineAct({
  action: "port.remove",
  right: "host.edit",
  input: z.strictObject({ portId: z.guid("must be the id of a port") }),
  names: ({ portId }) => ({ kind: "port", id: portId }),
  find: ({ tx }, { portId }) => lockPort(tx, portId),
  run: async ({ tx }, { hostId, address }, { portId }) => {
    await tx.nodePort.delete({ where: { id: portId } });
    await changeMac(tx, hostId, address, null);
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return acted({
      value: { removed: true as const },
      targetId: hostId,
      tenantId: null,
      before: { port: portId, address },
      after: null,
    });
  },
});
