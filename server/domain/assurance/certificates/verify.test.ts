// What the check reports for a certificate that differs from what was signed.
import { describe, expect, it } from "vitest";
import type { Standing } from "@/server/domain/assurance/standing";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { buildReceipt } from "@/server/domain/assurance/certificates/receipt";
import { anyStatement, wholeStatement } from "@/server/domain/assurance/certificates/statement";
import type { CertificateType, Statement } from "@/server/domain/assurance/certificates/statement";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";

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

it("says that a measured boot is not what its gate says", async () => {
  const { bundle } = sampleBundle({
    change: (said) => ({
      ...said,
      predicate: {
        ...said.predicate,
        gates: said.predicate.gates.map((gate) =>
          gate.gate === "attestationPassed" ? { ...gate, status: "waived" as const } : gate,
        ),
      },
    }),
  });
  const { faults } = await verifyBundle(bundle, policyOfKeys([]), null);
  expect(faults).toContainEqual({ what: "statement", why: expect.stringContaining("by a measured boot") });
});

const idOf = "10000000-0000-4000-8000-000000000001";
const receiptOfType = (type: CertificateType, standing: Standing) =>
  sampleBundle({
    change: (said) =>
      buildReceipt(
        {
          ...said,
          predicate: { ...said.predicate, certificate: { ...said.predicate.certificate, type, standing } },
        },
        { id: idOf, sha256: "0".repeat(64) },
      ) ?? said,
  });

it.each([
  ["certificate", "receipt", "proven"],
  ["withExceptions", "receiptWithExceptions", "provenWithExceptions"],
  ["notSanitized", "receiptNotSanitized", "notSanitized"],
  ["demo", "demo", "provenWithExceptions"],
] as const)("a receipt of the type %s is called %s", async (type, called, standing) => {
  const { bundle, key } = receiptOfType(type, standing);
  expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({ faults: [], type: called });
});

/** Devices as in statements before form 3. */
const withoutMaker = <T extends object>(devices: readonly T[]) =>
  devices.map((device) => {
    const { manufacturer: _, ...rest } = { manufacturer: null, ...device };
    return rest;
  });

/** The statement as a release before wrote it, without its standing. */
function asThird(said: Statement): object {
  const { measuredBoot: _boot, ...fourth } = said.predicate;
  const { certificate, host, reclamation } = fourth;
  const { standing: _standing, ...older } = certificate;
  const { skuDrives: _drives, ...machine } = host;
  const { restsOn: _basis, ...ended } = reclamation;
  return {
    ...said,
    predicateType: "urn:reclaim:sanitization:3",
    predicate: {
      ...fourth,
      ...{ certificate: older, host: machine, reclamation: ended, agentIdentity: "network only" },
    },
  };
}
const earlierForm = (said: Statement, type: string, devices: readonly unknown[]) => {
  const third = wholeStatement.parse(asThird(said));
  return wholeStatement.parse({
    ...third,
    predicateType: type,
    predicate: { ...third.predicate, devices: withoutMaker(third.predicate.devices), exceptions: devices },
  });
};

describe("one of an earlier form, which claims to be plain", () => {
  const leftOut =
    (gate: GateName, reason: string) =>
    (said: Statement): Statement => ({
      ...said,
      predicate: {
        ...said.predicate,
        gates: said.predicate.gates.map((each) =>
          each.gate === gate ? { ...each, status: "not required", reason } : each,
        ),
      },
    });
  it.each([
    ["its cleaning was left out", "storageSanitized", "automated cleaning off", "notSanitized"],
    [
      "an erase was disabled",
      "storageSanitized",
      "deploy.erase_nvme disabled by site override",
      "notSanitized",
    ],
    [
      "a gate was left out",
      "attestationPassed",
      "the site's policy does not require measured boot",
      "withExceptions",
    ],
    [
      "a gate does not apply",
      "infinibandClean",
      "the host has no InfiniBand device of its own",
      "certificate",
    ],
  ] as const)("is read by what it proves: %s", async (_what, gate, reason, type) => {
    const { bundle, key } = sampleBundle({
      change: (said) => anyStatement.parse(asThird(leftOut(gate, reason)(said))),
    });
    expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({ faults: [], type });
  });

  it("and lists no drive, though its cleaning was left out, is not sanitized", async () => {
    const { bundle, key } = sampleBundle({
      change: (said) =>
        anyStatement.parse(
          asThird({
            ...said,
            subject: said.subject.slice(0, 1),
            predicate: {
              ...said.predicate,
              devices: [],
              gates: said.predicate.gates.map((each) =>
                each.gate === "storageSanitized" || each.gate === "cleanupCompleted"
                  ? { ...each, status: "not required", reason: "automated cleaning off" }
                  : each,
              ),
            },
          }),
        ),
    });
    expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({
      faults: [],
      type: "notSanitized",
    });
  });
});

describe("one that claims a better standing than its gates and drives support", () => {
  const changed = async (change: (said: Statement) => Statement) => {
    const { bundle } = sampleBundle({ change });
    return verifyBundle(bundle, policyOfKeys([]), null);
  };
  it.each<[string, (said: Statement) => Statement]>([
    [
      "with a waived gate",
      (said) => ({
        ...said,
        predicate: {
          ...said.predicate,
          gates: said.predicate.gates.map((each) =>
            each.gate === "attestationPassed" ? { ...each, status: "waived" } : each,
          ),
        },
      }),
    ],
    [
      "without the drives of its SKU",
      (said) => ({
        ...said,
        subject: said.subject.slice(0, 1),
        predicate: { ...said.predicate, devices: [] },
      }),
    ],
    [
      "as a recheck of one that was not sanitized",
      (said) => ({
        ...said,
        predicate: {
          ...said.predicate,
          reclamation: { ...said.predicate.reclamation, restsOn: { number: "1", standing: "notSanitized" } },
        },
      }),
    ],
  ])("fails: %s", async (_what, change) => {
    const { faults, type } = await changed(change);
    expect(faults).toContainEqual({ what: "statement", why: expect.stringContaining("it says proven") });
    expect(type).not.toBe("certificate");
  });
  it("fails where its type is better than its standing", async () => {
    const { faults } = await changed((said) => ({
      ...said,
      predicate: {
        ...said.predicate,
        certificate: { ...said.predicate.certificate, standing: "provenWithExceptions" },
      },
    }));
    expect(faults).toContainEqual({
      what: "statement",
      why: "it is of the type certificate, and its standing is provenWithExceptions",
    });
  });
});

it("verifies a certificate of the second form, and a receipt of the first, which do not say who made a drive", async () => {
  const earlier = sampleBundle({
    change: (said) => earlierForm(said, "urn:reclaim:sanitization:2", said.predicate.exceptions),
  });
  const receipt = sampleBundle({
    change: (said) => {
      const made = buildReceipt(said, { id: idOf, sha256: "0".repeat(64) }) ?? expect.fail("no receipt");
      const { standing: _standing, ...certificate } = { standing: null, ...made.predicate.certificate };
      const { skuDrives: _drives, ...machine } = { skuDrives: null, ...made.predicate.machine };
      return anyStatement.parse({
        ...made,
        predicateType: "urn:reclaim:sanitization-receipt:1",
        predicate: { ...made.predicate, certificate, machine, devices: withoutMaker(made.predicate.devices) },
      });
    },
  });
  for (const { bundle, key } of [earlier, receipt])
    expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({ faults: [] });
});

it("verifies one of the first form, which has no end of its exceptions", async () => {
  const person = { name: "Ada", at: "2026-11-23T12:00:00.000Z" };
  const { bundle, key } = sampleBundle({
    change: (said) => {
      const third = wholeStatement.parse(asThird(said));
      return wholeStatement.parse({
        ...third,
        predicateType: "urn:reclaim:sanitization:1",
        predicate: {
          ...third.predicate,
          devices: withoutMaker(third.predicate.devices),
          certificate: { ...third.predicate.certificate, type: "withExceptions" },
          exceptions: [
            { gate: "memoryOverwritten", serial: null, reason: "no", askedBy: person, approvedBy: person },
          ],
          gates: third.predicate.gates.map((gate) =>
            gate.gate === "memoryOverwritten" ? { ...gate, status: "excepted" as const } : gate,
          ),
        },
      });
    },
  });
  expect(await verifyBundle(bundle, trusting(key), null)).toMatchObject({
    faults: [],
    type: "withExceptions",
  });
});
