// For tests: a bundle from a log with one event, made without a database.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import canonicalize from "canonicalize";
import { foldWhole, GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import { formatKey, verifierKey } from "@/server/domain/audit-log/note";
import { inclusionRanges, proofHashes } from "@/server/domain/audit-log/proofs";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { formatProof } from "@/server/domain/audit-log/tlog-proof";
import { buildStatement } from "@/server/domain/assurance/certificates/build";
import {
  bundleMediaType,
  issueAction,
  payloadType,
  signedBytes,
} from "@/server/domain/assurance/certificates/bundle";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";
import { statementText } from "@/server/domain/assurance/certificates/statement";
import type { AnyStatement, Statement } from "@/server/domain/assurance/certificates/statement";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";

const id = "10000000-0000-4000-8000-000000000001";
const at = "2026-11-23T12:00:00.000Z";
const drive = { serial: "D1", model: "PM9A3", media: "nvme", manufacturer: "Samsung" };

/** Of a host that became Ready. */
export const sampleRecords: CertificateRecords = {
  host: {
    id,
    name: "gpu-a-0417",
    systemUuid: null,
    manufacturer: "Dell Inc.",
    model: "PowerEdge R760",
    sku: "R760",
    site: "a",
    demo: false,
    rack: "07",
    slot: "12",
    hardwareType: "redfish",
    skuComponents: null,
  },
  reclamation: {
    id,
    number: "1",
    hostSerial: "7XKQ2D3",
    kind: "release",
    instanceId: id,
    tenantId: id,
    requestedBy: null,
    startedAt: at,
    endedAt: at,
    outcome: "ready",
    standing: null,
    cleanedNothing: false,
    restsOn: null,
    message: null,
    policyVersion: 1,
    policy: {},
    devices: { expected: [drive] },
  },
  results: [
    {
      ...drive,
      technique: "nvme-sanitize-crypto",
      standard: "ieee-2883",
      level: "purge",
      techniqueTable: 2,
      verdict: "sanitized",
      reason: "verified",
      report: {},
      at,
    },
  ],
  gates: gateNames.map((gate) => ({ gate, status: "satisfied", reason: "ok" })),
  measuredBoot: null,
  exceptions: [],
  procedures: [],
  boots: [],
};

interface Sample {
  readonly bundle: string;
  /** As `reclaim audit keys` prints it. */
  readonly key: string;
  readonly checkpoint: string;
}

/** Places the event in a log with others before and after it: the tree head, and the proof of this event. */
function treeOf(entry: string, before: number, after: number) {
  const leaves = Array.from({ length: before + 1 + after }, (_, index) =>
    leafHash(Buffer.from(index === before ? entry : `event ${index}`, "utf8")),
  );
  const size = leaves.length;
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.append(leaf);
  const hashes = proofHashes(inclusionRanges(before, size), ({ height, position }) =>
    foldWhole(leaves.slice(position * 2 ** height, (position + 1) * 2 ** height)),
  );
  return { head: { size, root: tree.root() }, hashes };
}

/** Signed by a new key each time. */
export function sampleBundle({
  demo = false,
  outcome = "ready",
  change = (said: Statement): AnyStatement => said,
  /** How many other events precede it in the log. */
  before = 0,
  after = 0,
} = {}): Sample {
  const origin = "reclaim.test/audit-log";
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = verifierKey(origin, "ed25519", publicKey);
  const text = statementText(
    change(
      buildStatement(
        { ...sampleRecords, host: { ...sampleRecords.host, demo } },
        { id, issuer: origin, atTheEnd: true, outcome, message: null },
      ),
    ),
  );
  const payload = Buffer.from(text, "utf8");
  const entry =
    canonicalize({
      id,
      actorKind: "system",
      actorId: null,
      actorName: null,
      action: issueAction,
      targetKind: "reclamation",
      targetId: id,
      tenantId: null,
      requestId: null,
      address: null,
      outcome: "done",
      before: null,
      after: { certificate: id, sha256: createHash("sha256").update(payload).digest("hex") },
      at,
      bodySha256: null,
    }) ?? "";
  const { head, hashes } = treeOf(entry, before, after);
  const checkpoint = signCheckpoint(origin, head, [{ key, secret: privateKey }]);
  const bundle = {
    mediaType: bundleMediaType,
    version: 1,
    envelope: {
      payloadType,
      payload: payload.toString("base64"),
      signatures: [
        {
          keyid: `${key.name}+${key.id}`,
          sig: sign(null, signedBytes(payload), privateKey).toString("base64"),
        },
      ],
    },
    key: formatKey(key),
    entry,
    proof: formatProof(before, hashes, checkpoint),
  };
  return { bundle: JSON.stringify(bundle), key: formatKey(key), checkpoint };
}
