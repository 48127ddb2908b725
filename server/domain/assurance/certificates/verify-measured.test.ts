// The measured boot in a certificate, checked again without Reclaim.
import { describe, expect, it } from "vitest";
import { buildStatement } from "@/server/domain/assurance/certificates/build";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";
import { sampleRecords } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { measuredBootFault, measuredBootOf } from "@/server/domain/assurance/certificates/verify-measured";
import {
  eccKey,
  messageOf,
  nonce,
  signatureOf,
  values,
} from "@/server/domain/attestation/measured/testing/made-quotes";

const key = eccKey("prime256v1", "sha256");
const message = messageOf(key);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const measured: NonNullable<CertificateRecords["measuredBoot"]> = {
  boot: 7,
  measuredAt: "2026-11-30T12:00:00.000Z",
  bundle: {
    id: sampleRecords.host.id,
    name: "R760, image 12",
    expects: { "4": values["4"] ?? "", "9": values["9"] ?? "" },
    requestedBy: "Ada",
    approvedBy: "Jonas",
  },
  tpm: { endorsementKeySha256: "a".repeat(64), acceptedAs: "certificate", vouchedBy: "CN=A maker" },
  ...{ attestationKey: base64(key.area), nonce: base64(nonce), quote: base64(message) },
  ...{ signature: base64(signatureOf(key, message)), values, eventLogSha256: null },
};

const facts = { id: sampleRecords.host.id, issuer: "log", atTheEnd: true, outcome: "ready", message: null };
const stated = (records: Partial<CertificateRecords>) =>
  buildStatement({ ...sampleRecords, ...records }, facts);

describe("the measured boot of a certificate", () => {
  it("is in it, and holds", () => {
    const statement = stated({ measuredBoot: measured });
    expect(statement.predicate.agentIdentity).toBe("measured boot");
    expect(measuredBootOf(statement)).toEqual(measured);
    expect(measuredBootFault(statement)).toBeNull();
    expect(statement.predicate.limits.join(" ")).toContain("rests on measured boots");
  });

  it.each<readonly [string, object, RegExp]>([
    ["its nonce is another", { nonce: base64(Buffer.alloc(32, 6)) }, /nonce/],
    ["a value is another", { values: { ...values, "4": "0".repeat(64) } }, /./],
    [
      "it was signed by another key",
      { attestationKey: base64(eccKey("prime256v1", "sha256").area) },
      /signature/,
    ],
    ["it is no quote", { quote: base64(Buffer.alloc(8)) }, /./],
    [
      "its bundle expects another value",
      { bundle: { ...measured.bundle, expects: { ...measured.bundle.expects, "9": "0".repeat(64) } } },
      /^the values of 9 are not those that the bundle expects$/,
    ],
  ])("does not hold if %s", (_what, change, why) =>
    expect(measuredBootFault(stated({ measuredBoot: { ...measured, ...change } }))).toMatch(why),
  );

  it("is none without its gate", () => {
    const gates = sampleRecords.gates.map((gate) =>
      gate.gate === "attestationPassed" ? { ...gate, status: "waived", reason: "not required" } : gate,
    );
    const statement = stated({ gates, measuredBoot: measured });
    expect(statement.predicate).toMatchObject({ agentIdentity: "network only", measuredBoot: null });
    expect(statement.predicate.limits.join(" ")).toContain("no measured boot was required");
    expect(measuredBootFault(statement)).toBeNull();
  });
});
