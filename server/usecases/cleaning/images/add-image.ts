// Adds an agent image as a site's candidate, which a few hosts get at their next boot (docs/cleaning.md#new-agent-images).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { images } from "@/server/contract/cleaning/images";
import { acted, defineAct } from "@/server/usecases/define-act";
import { candidateRefusal, insertCandidate } from "@/server/usecases/cleaning/images/new-candidate";
import { refused } from "@/server/usecases/problem";

export const addImage = defineAct({
  ...images.add,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: async ({ tx }, { siteId }) => {
    // Serializes people who add images on the site's row.
    await queryRows(tx, sql`SELECT id FROM site WHERE id = ${siteId}::uuid FOR UPDATE`);
    const site = await tx.site.findUnique({
      where: { id: siteId },
      select: { id: true, images: { select: { version: true, status: true } } },
    });
    return site === null ? null : { id: site.id, belongs: { tenantId: null }, value: site };
  },
  run: async ({ tx, actor }, { images }, { siteId, version, url, sha256, signed, kind, hosts }) => {
    const refusal = candidateRefusal(images, version);
    if (refusal !== null) return refused("conflict", refusal.message, refusal.field);
    const id = await insertCandidate(tx, actor, siteId, { version, url, sha256, signed, kind }, hosts);
    return acted({
      value: { id },
      targetId: id,
      tenantId: null,
      before: null,
      after: { siteId, version, url, sha256, signed, kind, stage: "few", hosts },
    });
  },
});
