// The database keeps what a reclamation proved: never more than its records show, written once, and by itself where nobody wrote one.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

let pool: Pool;
let siteId: string;
fileDatabase(1, async (made) => {
  pool = made;
  siteId = await addSite(pool);
});

interface Recorded {
  readonly kind?: string;
  /** Status and reason of a gate that is not satisfied. */
  readonly gates?: Partial<Record<GateName, readonly [status: string, reason: string]>>;
  readonly verdict?: string;
  readonly technique?: string;
  readonly devices?: object;
}

/** An open reclamation of a host, with what is on record of it. */
async function record(recorded: Recorded = {}, onHost?: string): Promise<{ id: string; hostId: string }> {
  const [id, hostId] = [randomUUID(), onHost ?? randomUUID()];
  if (onHost === undefined) {
    await addHost(pool, hostId, { siteId });
    await pool.query("UPDATE host SET name = $1::text WHERE id = $1::uuid", [hostId]);
  }
  const drive = { serial: `D-${hostId}`, model: "M" };
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch, devices) VALUES ($1, $2, 'S', $3, 1, '{}', $4, $5)",
    [
      ...[id, hostId, recorded.kind ?? "release", recorded.kind === "recheck" ? 0 : 1],
      JSON.stringify(recorded.devices ?? { expected: [drive] }),
    ],
  );
  if (recorded.kind !== "recheck")
    await pool.query(
      `INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
       VALUES ($1, $2, $3, 1, 1, $4, 'M', 'nvme', $5, 'ieee-2883', 'purge', 2, $6, 'r', '{}')`,
      [
        id,
        hostId,
        randomUUID(),
        drive.serial,
        recorded.technique ?? "overwrite",
        recorded.verdict ?? "sanitized",
      ],
    );
  for (const gate of gateNames) {
    const [status, reason] = recorded.gates?.[gate] ?? ["satisfied", "ok"];
    await pool.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, $3, $4, '{}', 1, 1)",
      [id, gate, status, reason],
    );
  }
  return { id, hostId };
}

const end = (id: string, standing: string | null, outcome = "ready") =>
  pool.query("UPDATE reclamation SET ended_at = now(), outcome = $2, standing = $3 WHERE id = $1", [
    id,
    outcome,
    standing,
  ]);
const standingOf = async (id: string) =>
  (await pool.query<{ standing: string | null }>("SELECT standing FROM reclamation WHERE id = $1", [id]))
    .rows[0]?.standing;
const certify = (id: string, hostId: string, type: string, form: number) =>
  pool.query(
    "INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256) VALUES ($1, $2, $3, 'certificate', $4, $5, '')",
    [randomUUID(), id, hostId, type, `{"predicateType":"urn:reclaim:sanitization:${form}"}`],
  );

const off = "automated cleaning off";
const cases: readonly (readonly [string, Recorded, string])[] = [
  ["everything is satisfied", {}, "proven"],
  ["a gate is waived", { gates: { attestationPassed: ["waived", "policy"] } }, "provenWithExceptions"],
  [
    "an earlier release left one out",
    { gates: { attestationPassed: ["not required", "the site's policy does not require measured boot"] } },
    "provenWithExceptions",
  ],
  ["one does not apply", { gates: { infinibandClean: ["not required", "no device"] } }, "proven"],
  ["a drive failed", { verdict: "failed" }, "notSanitized"],
  ["a drive was erased by what never counts", { technique: "scsi-format" }, "notSanitized"],
  ["a drive is missing", { devices: { expected: [], missing: [{ serial: "X" }] } }, "notSanitized"],
  [
    "cleaning was off",
    { gates: { storageSanitized: ["not required", off], cleanupCompleted: ["not required", off] } },
    "notSanitized",
  ],
  [
    "a drive was let through",
    { verdict: "failed", gates: { storageSanitized: ["excepted", "two people"] } },
    "notSanitized",
  ],
  ["a gate is unsatisfied", { gates: { healthy: ["unsatisfied", "fan"] } }, "notProven"],
];

it.each(cases)(
  "an end without a standing gets the one by what is on record: %s",
  async (_what, recorded, standing) => {
    const { id } = await record(recorded);
    await end(id, null);
    expect(await standingOf(id)).toBe(standing);
  },
);

it.each(cases.filter(([, , standing]) => standing !== "proven"))(
  "no statement says more than that: %s",
  async (_what, recorded, standing) => {
    const { id } = await record(recorded);
    await expect(end(id, "proven")).rejects.toThrow(`by its records it is ${standing}`);
    await end(id, standing);
    await expect(
      pool.query("UPDATE reclamation SET standing = 'proven' WHERE id = $1", [id]),
    ).rejects.toThrow("written once");
  },
);

it("one that did not end as Ready proved nothing", async () => {
  const { id } = await record();
  await end(id, null, "abandoned");
  expect(await standingOf(id)).toBe("notProven");
});

it("a recheck that cleaned nothing is no better than what it rests on", async () => {
  const first = await record({ gates: { memoryOverwritten: ["waived", "override"] } });
  await end(first.id, "provenWithExceptions");
  const recheck = await record({ kind: "recheck" }, first.hostId);
  await pool.query("UPDATE reclamation SET started_at = now() WHERE id = $1", [recheck.id]);
  await expect(end(recheck.id, "proven")).rejects.toThrow("by its records it is provenWithExceptions");
  await end(recheck.id, null);
  expect(await standingOf(recheck.id)).toBe("provenWithExceptions");
});

it("a certificate is plain only where its reclamation is proven", async () => {
  const waived = await record({ gates: { attestationPassed: ["waived", "policy"] } });
  await end(waived.id, "provenWithExceptions");
  await expect(certify(waived.id, waived.hostId, "certificate", 4)).rejects.toThrow("provenWithExceptions");
  await certify(waived.id, waived.hostId, "withExceptions", 4);
  const left = await record({ verdict: "failed" });
  await end(left.id, "notSanitized");
  for (const type of ["certificate", "withExceptions"])
    await expect(certify(left.id, left.hostId, type, 4)).rejects.toThrow("notSanitized");
  await certify(left.id, left.hostId, "notSanitized", 4);
  const proven = await record();
  await end(proven.id, "proven");
  await certify(proven.id, proven.hostId, "certificate", 4);
});
