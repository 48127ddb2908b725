// Adds a port to a host. The boot server recognizes the host by the port's MAC.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { tellWithin } from "@/server/db/hot/signal";
import { portFields } from "@/server/domain/hosts/nodes/node-values";
import { acted, defineAct } from "@/server/usecases/define-act";
import { auditFactsOf } from "@/server/usecases/hosts/nodes/node-columns";
import { lockNode } from "@/server/usecases/hosts/nodes/node-facts";
import { changeMac, takenPort, writePort } from "@/server/usecases/hosts/nodes/port-rows";
import { refused } from "@/server/usecases/problem";

export const createPort = defineAct({
  action: "port.create",
  right: "host.edit",
  input: z.strictObject({
    hostId: z.guid("must be the id of a host"),
    id: z.guid().nullable(),
    fields: portFields,
  }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => lockNode(tx, hostId),
  run: async ({ tx }, _node, { hostId, id, fields }) => {
    const portId = id?.toLowerCase() ?? randomUUID();
    if (id !== null && (await tx.nodePort.count({ where: { id: portId } })) > 0)
      return refused("conflict", `A port with UUID ${portId} already exists.`, "uuid");
    const problem = await takenPort(tx, { id: null, ...fields });
    if (problem !== null) return { ok: false, problem };
    const written = await writePort(fields.address, () =>
      tx.nodePort.create({ data: { id: portId, hostId, ...fields } }),
    );
    if (!written.ok) return written;
    await changeMac(tx, hostId, null, fields.address);
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return acted({
      value: { portId },
      targetId: hostId,
      tenantId: null,
      before: null,
      after: auditFactsOf({ port: portId, ...fields }),
    });
  },
});
