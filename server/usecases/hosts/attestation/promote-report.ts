// Requests a bundle of what a host's boot measured: it counts once another person approved it (docs/attestation.md#bundles).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { attestation as contract } from "@/server/contract/hosts/attestation";
import { queryRows } from "@/server/db/sql";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { bundleStanding, registersRefusal, valuesDigest } from "@/server/domain/attestation/bundle";
import { coversInitrd } from "@/server/domain/attestation/measured/covers-initrd";
import { readEventLog } from "@/server/domain/attestation/measured/event-log";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, defineAct } from "@/server/usecases/define-act";
import { readBundles } from "@/server/usecases/hosts/attestation/bundle-rows";
import { refused } from "@/server/usecases/problem";

interface ReportRow {
  readonly siteId: string;
  readonly host: string;
  readonly bootEpoch: number;
  readonly manufacturer: string;
  readonly model: string;
  readonly values: PcrValues | null;
  readonly log: Uint8Array | null;
  readonly contested: boolean;
}

/** Whether the values of a boot depend on the agent in it. */
function measuresAgent(log: Uint8Array | null, values: PcrValues): boolean {
  try {
    return log !== null && coversInitrd(readEventLog(log), values);
  } catch (error) {
    if (error instanceof TpmFault) return false;
    throw error;
  }
}

export const promoteReport = defineAct({
  ...contract.promote,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [row] = await queryRows(
      tx,
      sql<ReportRow>`
      SELECT h.site_id::text AS "siteId", h.name AS host, coalesce(m.boot_epoch, 0) AS "bootEpoch", coalesce(h.manufacturer, '') AS manufacturer, coalesce(h.model, '') AS model,
        CASE WHEN m.measured_at IS NOT NULL THEN m.pcrs END AS values, m.event_log AS log,
        EXISTS (SELECT FROM boot_window w WHERE w.host_id = h.id AND w.boot_epoch = m.boot_epoch AND w.contested_at IS NOT NULL) AS contested
      FROM host h LEFT JOIN host_measurement m ON m.host_id = h.id WHERE h.id = ${hostId}::uuid FOR UPDATE OF h`,
    );
    return row === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, row, { hostId, digest, pcrs, name, reason }) => {
    // safety: attestation: a person asks for a bundle, so that another one can approve it
    if (actor.kind === "local") return refused("forbidden", "A bundle needs two people: sign in first.");
    const { siteId, manufacturer, model, values } = row;
    if (values === null) return refused("notAllowedNow", "No boot of this host was measured.");
    // safety: attestation: no report of a contested boot is promoted
    if (row.contested)
      return refused("notAllowedNow", "The boot was contested. Promote the measurements of the next one.");
    // safety: attestation: what is promoted is what was seen
    if (valuesDigest(values) !== digest)
      return refused("conflict", "The host was measured again since you read it. Read it again.", "digest");
    const no = registersRefusal(pcrs, values);
    if (no !== null) return refused("invalid", no, "pcrs");
    // safety: attestation: a bundle of any agent
    if (!measuresAgent(row.log, values))
      return refused(
        "notAllowedNow",
        "The event log of this boot does not show that its command line and its initrd, which has the agent in it, were measured: another agent might give the same values. Boot the host with iPXE of 2023 or later, and promote that boot.",
      );
    const chosen: PcrValues = Object.fromEntries(pcrs.map((pcr) => [String(pcr), values[pcr] ?? ""]));
    const same = await readBundles(
      tx,
      sql`b.site_id = ${siteId}::uuid AND b.manufacturer = ${manufacturer} AND b.model = ${model} AND b.pcrs = ${JSON.stringify(chosen)}::jsonb`,
    );
    const standings = same.map((bundle) => ({ bundle, standing: bundleStanding(bundle.state, bundle) }));
    const open = ["Revoked", "Active", "Obsolete", "waits"]
      .map((wanted) => standings.find(({ standing }) => standing === wanted))
      .find((found) => found !== undefined);
    if (open !== undefined)
      return refused(
        "conflict",
        `The bundle ${open.bundle.name} expects the same values already: it ${open.standing === "waits" ? "waits for its approval" : `is ${open.standing}`}.`,
      );
    const id = randomUUID();
    const registers = Object.keys(chosen)
      .map(Number)
      .toSorted((left, right) => left - right);
    const hardware = [manufacturer, model].filter((part) => part !== "").join(" ");
    const { host, bootEpoch } = row;
    const words = `bundle ${name}${hardware === "" ? "" : ` of ${hardware}`}: registers ${registers.join(", ")} of ${host}, boot ${bootEpoch}, all values ${digest}`;
    const evidence = evidenceDigest({ siteId, manufacturer, model, hostId, bootEpoch, digest, pcrs: chosen });
    const approvalId = await askApproval(tx, actor, {
      ...{ kind: "bundle", subjectId: id, evidence, siteId, hostId: null, reason, validUntil: null },
    });
    await tx.attestationBundle.create({
      data: { id, siteId, name, manufacturer, model, pcrs: chosen, words, reason, approvalId },
    });
    return acted({
      value: { id },
      targetId: hostId,
      tenantId: null,
      before: null,
      after: { bundle: id, name, changes: [words], reason, approvalId },
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
