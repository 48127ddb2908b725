// Trusts a bundle less, and judges every host of its site again (docs/attestation.md#bundles).
import { sql } from "kysely";
import { attestation as contract } from "@/server/contract/hosts/attestation";
import { queryRows } from "@/server/db/sql";
import { bundleStanding } from "@/server/domain/attestation/bundle";
import { mayBecome } from "@/server/domain/attestation/measurement";
import { acted, defineAct } from "@/server/usecases/define-act";
import { readBundles } from "@/server/usecases/hosts/attestation/bundle-rows";
import { judgeAgain } from "@/server/usecases/hosts/attestation/judge-again";
import { refused } from "@/server/usecases/problem";

export const demoteBundle = defineAct({
  ...contract.demote,
  names: ({ bundle }) => ({ kind: "bundle", id: bundle }),
  find: async ({ tx }, { bundle }) => {
    // The approval first, as its decision does: in the other order the two would wait for each other.
    await queryRows(
      tx,
      sql`SELECT 1 FROM approval WHERE id = (SELECT approval_id FROM attestation_bundle WHERE id = ${bundle}::uuid) FOR UPDATE`,
    );
    const [row] = await readBundles(tx, sql`b.id = ${bundle}::uuid`, { locked: true });
    return row === undefined ? null : { id: row.siteId, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, row, { state, reason }) => {
    const standing = bundleStanding(row.state, row);
    if (standing === "waits")
      return refused("notAllowedNow", "The bundle waits for its approval, and passes nothing. Reject it.");
    if (standing === "rejected" || !mayBecome(row.state, state))
      return refused("notAllowedNow", `The bundle is ${standing}, and cannot become ${state}.`);
    await tx.attestationBundle.update({
      where: { id: row.id },
      data: { state, changedAt: new Date(), changedBy: actor.name, changedReason: reason },
    });
    const judged = await judgeAgain(
      tx,
      row.siteId,
      `the bundle ${row.name} that its boot was measured by is ${state}: ${reason}`,
    );
    return acted({
      value: judged,
      targetId: row.siteId,
      tenantId: null,
      before: { bundle: row.id, name: row.name, state: row.state },
      after: { bundle: row.id, name: row.name, state, reason, ...judged },
      tell: { wake: true, feed: [] },
    });
  },
});
