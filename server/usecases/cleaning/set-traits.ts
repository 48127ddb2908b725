// The traits of a host: which runbooks may run on it.
import { z } from "zod";
import { traits } from "@/server/domain/cleaning/traits";
import { tellWithin } from "@/server/db/host-changes";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

export const setTraits = defineAct({
  action: "host.setTraits",
  right: "host.clean",
  input: z.strictObject({ hostId: z.uuid("must be the id of a host"), traits }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await tx.$queryRaw<{ traits: string[] }[]>`SELECT traits FROM host WHERE id = ${hostId}::uuid FOR UPDATE`;
    return host === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: host };
  },
  run: async ({ tx }, host, { hostId, traits: wanted }) => {
    const sorted = [...wanted].sort();
    if (JSON.stringify([...host.traits].sort()) === JSON.stringify(sorted)) return done({ value: { traits: sorted }, changes: [] });
    await tx.host.update({ where: { id: hostId }, data: { traits: sorted } });
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return done({ value: { traits: sorted }, changes: [{ targetId: hostId, tenantId: null, before: { traits: host.traits }, after: { traits: sorted } }] });
  },
});
