// Changes a port. A changed address changes a MAC of its host.
import { z } from "zod";
import { tellWithin } from "@/server/db/hot/signal";
import { portFields } from "@/server/domain/hosts/nodes/node-values";
import { acted, defineAct } from "@/server/usecases/define-act";
import { auditFactsOf } from "@/server/usecases/hosts/nodes/node-columns";
import { changeMac, lockPort, takenPort, writePort } from "@/server/usecases/hosts/nodes/port-rows";
import { refused } from "@/server/usecases/problem";

/** If the port was changed meanwhile, `conflict` on the field `seenMs`: read it again and retry. */
export const updatePort = defineAct({
  action: "port.update",
  right: "host.edit",
  input: z.strictObject({
    portId: z.guid("must be the id of a port"),
    seenMs: z.number().nullable(),
    fields: portFields,
  }),
  names: ({ portId }) => ({ kind: "port", id: portId }),
  find: ({ tx }, { portId }) => lockPort(tx, portId),
  run: async ({ tx }, port, { portId, seenMs, fields }) => {
    if (port.updatedMs !== seenMs)
      return refused("conflict", "The port was changed by somebody else at the same time.", "seenMs");
    const problem = await takenPort(tx, { id: portId, ...fields });
    if (problem !== null) return { ok: false, problem };
    const written = await writePort(fields.address, () =>
      tx.nodePort.update({
        where: { id: portId },
        data: { ...fields, updatedAt: new Date() },
        select: { id: true },
      }),
    );
    if (!written.ok) return written;
    if (fields.address !== port.address) await changeMac(tx, port.hostId, port.address, fields.address);
    await tellWithin(tx, { feed: [{ hostId: port.hostId, tenantId: null, what: "settings" }] });
    return acted({
      value: { portId },
      targetId: port.hostId,
      tenantId: null,
      before: { port: portId, address: port.address },
      after: auditFactsOf({ port: portId, ...fields }),
    });
  },
});
