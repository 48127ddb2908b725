// A certificate vouches for a TPM only if an authority of the site issued it, for this key and this use, and it is valid today.
import { createPublicKey } from "node:crypto";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import { BasicConstraints, Extension, ExtendedKeyUsage, Name } from "@peculiar/asn1-x509";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { judgeCertificate } from "@/server/domain/attestation/endorsement-certificate";
import {
  certificateDer,
  endorsementPlan,
  keyFrom,
  makerPlan,
  type CertificatePlan,
} from "@/server/simulator/host/tpm/certificates";

/** Of a test with very many inputs (`FUZZ=1000000`). */
const limitMs = 7_200_000;
const nowMs = Date.parse("2026-11-30T00:00:00Z");
const key = createPublicKey(keyFrom("a TPM"));
const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
const authority = pemOf(certificateDer(makerPlan));
const judged = (change: Partial<CertificatePlan> = {}, authorities = authority) =>
  judgeCertificate(certificateDer({ ...endorsementPlan(key), ...change }), key, authorities, nowMs);

/** The plan's extensions, with one in place of that of its kind. */
const withExtension = (id: string, critical: boolean, value: unknown): Partial<CertificatePlan> => ({
  extensions: [
    ...endorsementPlan(key).extensions.filter(({ extnID }) => extnID !== id),
    new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) }),
  ],
});

describe("a certificate of an endorsement key", () => {
  it("vouches for the key, and says of which TPM it is", () => {
    expect(judged()).toEqual({
      make: { manufacturer: "id:52454331", model: "Simulated", version: "id:00010000" },
      authority: "CN=Reclaim simulated TPM maker",
      faults: [],
    });
  });

  it.each([
    ["another key", { key: createPublicKey(keyFrom("another TPM")) }, /for another key than the one/],
    ["another issuer", { issuerKey: keyFrom("nobody") }, /its issuer is not one of the site's authorities/],
    ["another issuer's name", { issuer: new Name([]) }, /its issuer is not one of the site's authorities/],
    ["a time before it is valid", { from: new Date("2030-01-01") }, /it is not valid before 2030-01-01/],
    ["a time after it has expired", { to: new Date("2025-01-01") }, /it expired at 2025-01-01/],
    [
      "another use",
      withExtension("2.5.29.37", false, new ExtendedKeyUsage(["1.3.6.1.5.5.7.3.1"])),
      /does not say that it is one of an endorsement key/,
    ],
    [
      "no use",
      { extensions: endorsementPlan(key).extensions.filter(({ extnID }) => extnID !== "2.5.29.37") },
      /does not say that it is one of an endorsement key/,
    ],
    [
      "an authority's own",
      withExtension("2.5.29.19", true, new BasicConstraints({ cA: true })),
      /one of an authority, and not of an endorsement key/,
    ],
    [
      "a critical extension that is not known",
      withExtension("1.2.3.4", true, new BasicConstraints({})),
      /critical extensions that Reclaim does not know: 1\.2\.3\.4/,
    ],
  ] as const)("is refused with %s", (_what, change, words) => {
    const { authority: vouched, faults } = judged(change);
    expect(vouched).toBeNull();
    expect(faults).toEqual([expect.stringMatching(words)]);
  });

  it("is refused where the site has no authority, one of another maker, or one that has expired", () => {
    expect(judged({}, "").authority).toBeNull();
    const other = certificateDer({
      ...makerPlan,
      key: createPublicKey(keyFrom("x")),
      issuerKey: keyFrom("x"),
    });
    expect(judged({}, pemOf(other)).faults).toEqual([expect.stringMatching(/its issuer is not one of/)]);
    const expired = pemOf(certificateDer({ ...makerPlan, to: new Date("2025-06-01") }));
    expect(judged({}, expired)).toMatchObject({
      authority: null,
      faults: [expect.stringMatching(/its authority CN=Reclaim simulated TPM maker expired at 2025-06-01/)],
    });
  });

  it("is refused truncated, with trailing bytes, and beyond its size", () => {
    const der = certificateDer(endorsementPlan(key));
    const faultsOf = (bytes: Buffer) => judgeCertificate(bytes, key, authority, nowMs).faults;
    expect(faultsOf(der.subarray(0, -1))).toEqual(["it is no X.509 certificate, or has bytes after it"]);
    expect(faultsOf(Buffer.concat([der, Buffer.alloc(1)]))).toEqual([
      "it is no X.509 certificate, or has bytes after it",
    ]);
    expect(faultsOf(Buffer.alloc(9000))).toEqual(["it has 9000 bytes, and at most 8192 are accepted"]);
  });

  it(
    "never passes with a byte changed, and never breaks",
    () => {
      const der = certificateDer(endorsementPlan(key));
      const change = fc.tuple(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(change, ([place, flip]) => {
          const bytes = Buffer.from(der);
          bytes[place] = (bytes[place] ?? 0) ^ flip;
          expect(judgeCertificate(bytes, key, authority, nowMs).authority).toBeNull();
        }),
        { numRuns: inject("fuzz") ?? 500 },
      );
    },
    limitMs,
  );
});
