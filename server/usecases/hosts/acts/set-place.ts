// Sets the location of a host. Admission reads segment and power domain at its next pass (docs/cleaning.md#admission); nothing else depends on them.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { host as contract } from "@/server/contract/hosts/host";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";

interface PlaceRow {
  readonly rack: string | null;
  readonly slot: string | null;
  readonly segment: string | null;
  readonly powerDomain: string | null;
}

export const setPlace = defineAct({
  ...contract.setPlace,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [row] = await queryRows(
      tx,
      sql<PlaceRow>`
        SELECT rack, slot, network_segment AS segment, power_domain AS "powerDomain" FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    return row === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx }, before, { hostId, place }) => {
    const after = { ...before, ...place };
    const same =
      before.rack === after.rack &&
      before.slot === after.slot &&
      before.segment === after.segment &&
      before.powerDomain === after.powerDomain;
    if (same) return unchanged({ accepted: true as const });
    const { segment, ...others } = after;
    await tx.host.update({ where: { id: hostId }, data: { ...others, networkSegment: segment } });
    return acted({
      value: { accepted: true as const },
      targetId: hostId,
      tenantId: null,
      before: { ...before },
      after,
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
