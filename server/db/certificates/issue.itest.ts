// From the end of a reclamation to a bundle that anybody can verify, on a real database; every way to tamper with one is detected by name.
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { addFirstKey, addKey, readSigners } from "@/server/db/audit-log/keys";
import { readCheckpoint } from "@/server/db/audit-log/log-rows";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { withTransaction } from "@/server/db/connection";
import { issueCertificates } from "@/server/db/certificates/issue";
import type { StampTime } from "@/server/db/certificates/issue";
import { readCertificateRecords } from "@/server/db/certificates/read-records";
import { hotStatements } from "@/server/db/hot/pool";
import { endCopies } from "@/server/db/certificates/testing/end-copies";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { fileDatabase } from "@/server/db/testing/file-database";
import { sqlOn } from "@/server/db/sql";
import { addHost, addSite } from "@/server/db/testing/rows";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { formatKey, verifierKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { signedBytes } from "@/server/domain/assurance/certificates/bundle";
import type { Bundle } from "@/server/domain/assurance/certificates/bundle";
import { certificatePdf } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import { verifyPdf } from "@/server/domain/assurance/certificates/pdf/verify-pdf";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { createTimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";

const secrets = createSecretBox(randomBytes(32));
let pool: Pool;
let siteId = "";
fileDatabase(4, async (made) => {
  pool = made;
  siteId = await addSite(pool);
  await pool.query("UPDATE site SET demo = false");
  await addFirstKey(pool, secrets, "reclaim.test/audit-log");
});

const drive = {
  serial: "D1",
  model: "PM9A3",
  manufacturer: "Samsung",
  media: "nvme",
  capacityBytes: "960197124096",
  sources: ["bmc", "agent"],
};
const report = {
  ...drive,
  tries: [],
  tool: { name: "nvme-cli", version: "2.11" },
  verification: {
    kind: "markers-and-digests",
    samples: 1000,
    bytes: "4096000",
    seed: "",
    markersWritten: 3,
    markersFound: 0,
    mismatches: 0,
    result: "passed",
  },
};

/** A host whose reclamation has ended, with one erased drive. */
async function ended(outcome: string, treated = true): Promise<string> {
  const [hostId, id, run, instanceId, tenantId] = Array.from({ length: 5 }, () => randomUUID());
  if (hostId === undefined || id === undefined) throw new Error("no ids");
  await pool.query("DELETE FROM host");
  await addHost(pool, hostId, { siteId });
  await pool.query(
    `INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, devices, plan_epoch, instance_id, tenant_id)
     VALUES ($1, $2, 'S-1', 'release', 1, $3, $4, 1, $5, $6)`,
    [
      id,
      hostId,
      JSON.stringify(defaultPolicy()),
      JSON.stringify({ expected: [drive], excluded: [], missing: [] }),
      instanceId,
      tenantId,
    ],
  );
  if (treated)
    await pool.query(
      `INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
       VALUES ($1, $2, $3, 1, 1, 'D1', 'PM9A3', 'nvme', 'nvme-sanitize-crypto', 'ieee-2883', 'purge', 2, 'sanitized', 'verified', $4)`,
      [id, hostId, run, JSON.stringify(report)],
    );
  for (const gate of gateNames)
    await pool.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, 'satisfied', 'ok', '{}', 1, 1)",
      [id, gate],
    );
  await pool.query("UPDATE reclamation SET ended_at = now(), outcome = $2 WHERE id = $1", [id, outcome]);
  return id;
}

const noStamp = () => Promise.resolve(null);
async function issue(stampTime: StampTime = noStamp): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await issueCertificates(pool, () => readSigners(pool, secrets), undefined, stampTime);
    await numberAll(pool);
    await signNews(pool, secrets);
  }
}

async function bundleOf(reclamationId: string, kind = "certificate"): Promise<string> {
  const { rows } = await pool.query<{ bundle: string }>(
    "SELECT bundle FROM certificate WHERE reclamation_id = $1 AND kind = $2",
    [reclamationId, kind],
  );
  return rows[0]?.bundle ?? "";
}

const trusted = async () => policyOfKeys((await readSigners(pool, secrets)).map(({ key }) => key));
const check = async (text: string, kept: string | null = null) => verifyBundle(text, await trusted(), kept);

it("a reclamation that ends is certified, and its tenant gets a receipt of its own", async () => {
  const id = await ended("ready");
  await issue();
  const whole = await check(await bundleOf(id));
  expect(whole).toMatchObject({
    faults: [],
    type: "certificate",
    signer: { name: "reclaim.test/audit-log" },
    statement: {
      predicate: {
        devices: [{ serial: "D1", manufacturer: "Samsung", result: "sanitized", method: "purge" }],
      },
    },
  });
  const receipt = await check(await bundleOf(id, "receipt"));
  expect(receipt).toMatchObject({
    faults: [],
    type: "receipt",
    statement: { predicate: { certificate: { sha256: whole.digest, type: "certificate" } } },
  });
  expect(await bundleOf(id, "receipt").then((text) => atob(JSON.parse(text).envelope.payload))).not.toMatch(
    /requestedBy|rack|site|policy/,
  );
  expect((await pool.query("SELECT 1 FROM certificate_due")).rowCount).toBe(0);
  for (const act of [
    "UPDATE certificate SET statement = '{}'",
    "UPDATE certificate SET tenant_id = NULL, host_id = gen_random_uuid()",
    "UPDATE certificate SET event_id = gen_random_uuid()",
    "DELETE FROM certificate",
  ])
    await expect(pool.query(act), act).rejects.toThrow("never changed");
});

it("one that ends otherwise gets a record of non-conformance, and no receipt", async () => {
  const id = await ended("abandoned", false);
  await issue();
  expect(await check(await bundleOf(id))).toMatchObject({
    faults: [],
    type: "nonConformance",
    statement: { predicate: { devices: [{ serial: "D1", result: "not sanitized" }] } },
  });
  expect(await bundleOf(id, "receipt")).toBe("");
});

it("one that ended as Ready without a result of each drive gets none, and says why", async () => {
  const id = await ended("ready", false);
  await issue();
  expect(await bundleOf(id)).toBe("");
  expect((await pool.query("SELECT trouble FROM certificate_due")).rows).toEqual([
    { trouble: "drive D1 has no result: no result is on record" },
  ]);
  await pool.query("DELETE FROM certificate_due");
});

describe("what was changed is named", () => {
  const changed = (text: string, change: (bundle: Bundle) => object): string => {
    const bundle: Bundle = JSON.parse(text);
    return JSON.stringify({ ...bundle, ...change(bundle) });
  };
  const payload = (bundle: Bundle, from: string, to: string) => {
    const text = Buffer.from(bundle.envelope.payload, "base64").toString("utf8").replace(from, to);
    return { envelope: { ...bundle.envelope, payload: Buffer.from(text).toString("base64") } };
  };
  const resigned = (bundle: Bundle) => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const key = verifierKey("reclaim.test/audit-log", "ed25519", publicKey);
    const bytes = Buffer.from(bundle.envelope.payload, "base64");
    const sig = sign(null, signedBytes(bytes), privateKey).toString("base64");
    const signatures = [{ keyid: `${key.name}+${key.id}`, sig }];
    return { key: formatKey(key), envelope: { ...bundle.envelope, signatures } };
  };
  it.each<readonly [string, readonly string[], (bundle: Bundle) => object]>([
    ["a byte of the statement", ["signature", "event"], (bundle) => payload(bundle, "PM9A3", "PM9A4")],
    ["spaces in the statement", ["statement"], (bundle) => payload(bundle, ":", ": ")],
    [
      "a result",
      ["statement", "signature", "event"],
      (bundle) => payload(bundle, '"result":"sanitized"', '"result":"not sanitized"'),
    ],
    [
      "the type",
      ["statement", "signature", "event"],
      (bundle) => payload(bundle, '"type":"certificate"', '"type":"nonConformance"'),
    ],
    ["another key that signed it again", ["key"], resigned],
    ["the key alone", ["key", "signature"], (bundle) => ({ key: resigned(bundle).key })],
    [
      "the event",
      ["event", "proof"],
      ({ entry }) => ({ entry: entry.replace("certificate.issue", "certificate.issu3") }),
    ],
    ["the time of the event", ["proof"], ({ entry }) => ({ entry: entry.replace(/"at":"20/, '"at":"21') })],
    [
      "a hash of the proof",
      ["proof"],
      ({ proof }) => ({
        proof: proof.replace(
          /^index (\d+)\n./m,
          (line) => `${line.slice(0, -1)}${line.endsWith("A") ? "B" : "A"}`,
        ),
      }),
    ],
    [
      "the size in the checkpoint",
      ["proof", "checkpoint"],
      ({ proof }) => ({ proof: proof.replace(/(audit-log\n)(\d+)/, "$11$2") }),
    ],
    ["the form", ["bundle"], () => ({ version: 2 })],
  ])("%s", async (_what, faults, change) => {
    await ended("ready");
    const id = await ended("ready");
    await issue();
    const found = await check(changed(await bundleOf(id), change));
    expect([...new Set(found.faults.map(({ what }) => what))], JSON.stringify(found.faults)).toEqual(faults);
  });

  it("a byte of a PDF's page, and of the bundle in it", async () => {
    const id = await ended("ready");
    await issue();
    const made = await certificatePdf(await bundleOf(id), "https://reclaim.test/reclamations");
    const pdf = Buffer.from(made ?? expect.fail("no PDF")).toString("latin1");
    const verified = async (text: string) => verifyPdf(Buffer.from(text, "latin1"), await trusted(), null);
    expect(await verified(pdf)).toMatchObject({ faults: [], signer: { name: "reclaim.test/audit-log" } });
    for (const changed of [
      pdf.replace("[<0001", "[<0002"),
      pdf.replace('"payload":"eyJ', '"payload":"eyK'),
    ]) {
      expect(changed === pdf).toBe(false);
      expect((await verified(changed)).faults).toContainEqual(expect.objectContaining({ what: "pdf" }));
    }
  });

  it("without a key that one trusts nothing is known of who signed", async () => {
    const id = await ended("ready");
    await issue();
    expect(await verifyBundle(await bundleOf(id), policyOfKeys([]), null)).toMatchObject({
      faults: [],
      signer: null,
    });
  });

  it("a checkpoint that was kept shows whether the log was rewritten", async () => {
    const kept = (await readCheckpoint(pool)) ?? "";
    const id = await ended("ready");
    await issue();
    const text = await bundleOf(id);
    expect(await check(text, kept)).toMatchObject({ faults: [{ what: "checkpoint" }] });
    const now = JSON.parse(text).proof.split("\n\n").slice(1).join("\n\n");
    expect(await check(text, now)).toMatchObject({ faults: [] });
  });
});

it("checks the same with openssl and a few lines for the tree", async () => {
  const id = await ended("ready");
  await issue();
  const bundle: Bundle = JSON.parse(await bundleOf(id));
  const hash = (...parts: readonly Uint8Array[]) =>
    createHash("sha256").update(Buffer.concat(parts)).digest();
  const [head = "", ...rest] = bundle.proof.split("\n\n");
  const [, index = "", ...hashes] = head.split("\n");
  let [at, node] = [Number(index.slice(6)), hash(Buffer.of(0), Buffer.from(bundle.entry))];
  const [, size = "", root = ""] = (rest[0] ?? "").split("\n");
  let last = Number(size) - 1;
  for (const line of hashes) {
    const other = Buffer.from(line, "base64");
    if (at % 2 === 1 || at === last) {
      node = hash(Buffer.of(1), other, node);
      for (; at % 2 === 0 && at !== 0; at >>= 1) last >>= 1;
    } else node = hash(Buffer.of(1), node, other);
    at >>= 1;
    last >>= 1;
  }
  expect(node.toString("base64")).toBe(root);
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  const file = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const payload = Buffer.from(bundle.envelope.payload, "base64");
  const said = file(
    "said",
    Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `), payload]),
  );
  const signature = file("signature", Buffer.from(bundle.envelope.signatures[0]?.sig ?? "", "base64"));
  const raw = Buffer.from(bundle.key.split("+").slice(2).join("+"), "base64").subarray(1);
  const key = file("key.der", Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]));
  const args = [
    "pkeyutl",
    "-verify",
    "-pubin",
    "-keyform",
    "DER",
    "-inkey",
    key,
    "-rawin",
    "-in",
    said,
    "-sigfile",
    signature,
  ];
  expect(execFileSync("openssl", args, { encoding: "utf8" })).toContain("Verified Successfully");
  expect(JSON.parse(bundle.entry).after.sha256).toBe(hash(payload).toString("hex"));
  rmSync(folder, { recursive: true });
});

it("has the time stamp of an authority, over its signature", async () => {
  const authority = createTimeStampAuthority();
  const id = await ended("ready");
  await issue((bytes) => Promise.resolve(authority.stamp(bytes)));
  const text = await bundleOf(id);
  const { timestamp, envelope }: Bundle = JSON.parse(text);
  const [stamp, signature] = [timestamp, envelope.signatures[0]?.sig].map((base64) =>
    Buffer.from(base64 ?? "", "base64"),
  );
  expect(authority.verifies(stamp ?? Buffer.of(), signature ?? Buffer.of())).toBe(true);
  expect(await check(text)).toMatchObject({ faults: [] });
  authority.remove();
});

it("a statement is signed by the key that signed its checkpoint, not by one that nobody vouches for yet", async () => {
  const id = await ended("ready");
  await issueCertificates(pool, () => readSigners(pool, secrets), undefined, noStamp);
  await numberAll(pool);
  await signNews(pool, secrets);
  const before = await trusted();
  await withTransaction(pool, (client) => addKey(sqlOn(client), secrets, "reclaim.test/audit-log"));
  await issueCertificates(pool, () => readSigners(pool, secrets), undefined, noStamp);
  expect(await verifyBundle(await bundleOf(id), before, null)).toMatchObject({ faults: [] });
});

it("gates of before the last erase say nothing of it, where the host did not become Ready", async () => {
  const id = await ended("decommissioned");
  const records = async () => (await readCertificateRecords(pool, [id])).get(id)?.records;
  expect(await records()).toMatchObject({ gates: { length: gateNames.length } });
  await pool.query("UPDATE device_result SET at = now() + interval '1 hour' WHERE reclamation_id = $1", [id]);
  expect(await records()).toMatchObject({ gates: [] });
  // A recheck without a plan relies on what its host erased last on the same model.
  await pool.query("UPDATE reclamation SET kind = 'recheck', plan_epoch = 0 WHERE id = $1", [id]);
  expect(await records()).toMatchObject({ results: [{ serial: "D1" }] });
  await pool.query("UPDATE device_result SET model = 'other' WHERE reclamation_id = $1", [id]);
  expect(await records()).toMatchObject({ results: [] });
  await pool.query("DELETE FROM certificate_due");
});

// `npm run bench -- --audit` says how long it takes.
it("150 that end at once are certified by one round of numbers and signatures", { tags: "all" }, async () => {
  const like = await ended("ready");
  const copies = await endCopies(pool, like, 149);
  const all = async (): Promise<void> => {
    while ((await issueCertificates(pool, () => readSigners(pool, secrets), undefined, noStamp)) > 0);
  };
  await all();
  await numberAll(pool);
  await signNews(pool, secrets);
  await all();
  const { rows } = await pool.query(
    `SELECT kind, count(*)::int AS count FROM certificate WHERE bundle IS NOT NULL AND reclamation_id = ANY($1::uuid[]) GROUP BY kind ORDER BY kind`,
    [copies],
  );
  expect(rows).toEqual([
    { kind: "certificate", count: 149 },
    { kind: "receipt", count: 149 },
  ]);
  expect(await bundleOf(like)).not.toBe("");
});

it("reads no more results than those of its drives", async () => {
  await pool.query(
    `INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
     SELECT r.reclamation_id, r.host_id, r.step_run_id, 1, 99, 'X' || n, 'PM9A3', 'nvme', r.technique, r.standard, r.level, 2, 'sanitized', 'verified', '{}'
     FROM (SELECT * FROM device_result LIMIT 1) r, generate_series(1, 5000) n`,
  );
  await pool.query("ANALYZE device_result");
  const { rows } = await pool.query<Record<"QUERY PLAN", string>>({
    text: `EXPLAIN ${hotStatements().get("certificate_records")}`,
    values: [[randomUUID()]],
  });
  // Scanning a whole index is no better than scanning the table.
  const plan = rows.map((row) => row["QUERY PLAN"]);
  const scans = plan.flatMap((line, at) => (/ on device_result /.test(line) ? [plan[at + 1]] : []));
  expect(scans.length, plan.join("\n")).toBeGreaterThan(1);
  for (const next of scans) expect(next, plan.join("\n")).toMatch(/(Index|Recheck) Cond:/);
});
