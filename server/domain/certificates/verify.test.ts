// What the check reports for a certificate that differs from what was signed.
import { expect, it } from "vitest";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { buildReceipt } from "@/server/domain/certificates/receipt";
import { anyStatement, wholeStatement } from "@/server/domain/certificates/statement";
import type { CertificateType } from "@/server/domain/certificates/statement";
import { sampleBundle } from "@/server/domain/certificates/testing/sample-bundle";
import { verifyBundle } from "@/server/domain/certificates/verify";

const trusting = (key: string) => {
  const parsed = parseKey(key);
  if (parsed === null) throw new Error("not a key");
  return policyOfKeys([parsed]);
};
const signatureIn = /"sig":"[^"]*"/;
const sample = sampleBundle();
const other = sampleBundle({ demo: true });

it("says nothing against one by a trusted key, in a log that begins with what was kept", async () => {
  const { faults, signer } = await verifyBundle(sample.bundle, trusting(sample.key), sample.checkpoint);
  expect(faults).toEqual([]);
  expect(signer).not.toBeNull();
});

it("says that nobody trusts its key", async () => {
  const { faults, signer } = await verifyBundle(sample.bundle, trusting(other.key), null);
  expect(faults).toContainEqual({ what: "key", why: expect.stringContaining("none of the keys") });
  expect(signer).toBeNull();
});

it("says that the signature is of another statement", async () => {
  const [signature] = signatureIn.exec(other.bundle) ?? [""];
  const { faults } = await verifyBundle(
    sample.bundle.replace(signatureIn, signature),
    policyOfKeys([]),
    null,
  );
  expect(faults).toEqual([{ what: "signature", why: "it is not of this statement" }]);
});

it("says that the log was rewritten since a checkpoint of the same size", async () => {
  const { faults } = await verifyBundle(sample.bundle, policyOfKeys([]), other.checkpoint);
  expect(faults).toEqual([{ what: "checkpoint", why: expect.stringContaining("rewritten") }]);
});

it("says that a gate is excepted by no exception", async () => {
  const { bundle } = sampleBundle({
    change: (said) => ({
      ...said,
      predicate: {
        ...said.predicate,
        gates: said.predicate.gates.map((gate) =>
          gate.gate === "memoryOverwritten" ? { ...gate, status: "excepted" as const } : gate,
        ),
      },
    }),
  });
  const { faults } = await verifyBundle(bundle, policyOfKeys([]), null);
  expect(faults).toContainEqual({ what: "statement", why: expect.stringContaining("by no exception") });
});

const idOf = "10000000-0000-4000-8000-000000000001";
const receiptOfType = (type: CertificateType) =>
  sampleBundle({
    change: (said) =>
      buildReceipt(
        {
          ...said,
          predicate: { ...said.predicate, certificate: { ...said.predicate.certificate, type } },
        },
        { id: idOf, sha256: "0".repeat(64) },
      ) ?? said,
  });

it.each([
  ["certificate", "receipt"],
  ["withExceptions", "receiptWithExceptions"],
  ["demo", "demo"],
] as const)("a receipt of the type %s is called %s", async (type, called) => {
  const { bundle, key } = receiptOfType(type);
  expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({ faults: [], type: called });
});

/** Devices as in statements before form 3. */
const withoutMaker = <T extends object>(devices: readonly T[]) =>
  devices.map((device) => {
    const { manufacturer: _, ...rest } = { manufacturer: null, ...device };
    return rest;
  });

it("verifies a certificate of the second form, and a receipt of the first, which do not say who made a drive", async () => {
  const earlier = sampleBundle({
    change: (said) =>
      wholeStatement.parse({
        ...said,
        predicateType: "urn:reclaim:sanitization:2",
        predicate: { ...said.predicate, devices: withoutMaker(said.predicate.devices) },
      }),
  });
  const receipt = sampleBundle({
    change: (said) => {
      const made = buildReceipt(said, { id: idOf, sha256: "0".repeat(64) }) ?? expect.fail("no receipt");
      return anyStatement.parse({
        ...made,
        predicateType: "urn:reclaim:sanitization-receipt:1",
        predicate: { ...made.predicate, devices: withoutMaker(made.predicate.devices) },
      });
    },
  });
  for (const { bundle, key } of [earlier, receipt])
    expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({ faults: [] });
});

it("verifies one of the first form, which has no end of its exceptions", async () => {
  const person = { name: "Ada", at: "2026-11-23T12:00:00.000Z" };
  const { bundle, key } = sampleBundle({
    change: (said) => ({
      ...said,
      predicateType: "urn:reclaim:sanitization:1",
      predicate: {
        ...said.predicate,
        devices: withoutMaker(said.predicate.devices),
        certificate: { ...said.predicate.certificate, type: "withExceptions" },
        exceptions: [
          { gate: "memoryOverwritten", serial: null, reason: "no", askedBy: person, approvedBy: person },
        ],
        gates: said.predicate.gates.map((gate) =>
          gate.gate === "memoryOverwritten" ? { ...gate, status: "excepted" as const } : gate,
        ),
      },
    }),
  });
  expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({
    faults: [],
    type: "withExceptions",
  });
});
