// Measurements of a component count only if it signed them for this request, by a key that an authority of the site vouches for.
import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import h100 from "@/server/domain/attestation/spdm/testing/h100.json";
import { maxReportBytes, SpdmFault } from "@/server/domain/attestation/spdm/reader";
import { readReport } from "@/server/domain/attestation/spdm/report";
import { verifyMeasurements } from "@/server/domain/attestation/spdm/verify";
import { certificateDer, commonNamed, keyFrom, signerPlan } from "@/server/simulator/host/tpm/certificates";
import {
  componentAuthority,
  componentCertificates,
  componentKey,
} from "@/server/simulator/spdm/certificates";
import { signatureOf, spdmReport, unsignedReport, type ReportPlan } from "@/server/simulator/spdm/responder";

const nowMs = Date.parse("2026-12-01T00:00:00Z");
/** Of a test with very many inputs (`FUZZ=1000000`). */
const limitMs = 7_200_000;

const plan = (change: Partial<ReportPlan> = {}): ReportPlan => ({
  version: 0x11,
  key: componentKey("GPU 1"),
  nonce: Buffer.alloc(32, 7),
  hash: "sha256",
  values: [
    { index: 1, type: 0x83, value: Buffer.from("01020304", "hex") },
    { index: 2, type: 0x01, value: Buffer.alloc(32, 0xab) },
  ],
  ...change,
});

const judged = (
  report: Uint8Array,
  {
    nonce = Buffer.alloc(32, 7),
    certificates = componentCertificates("GPU 1"),
    authorities = componentAuthority,
    hashingAlgorithm = "TPM_ALG_SHA_256",
    at = nowMs,
  }: {
    readonly nonce?: Buffer;
    readonly certificates?: string;
    readonly authorities?: string;
    readonly hashingAlgorithm?: string | null;
    readonly at?: number;
  } = {},
) => verifyMeasurements({ report, hashingAlgorithm, certificates }, nonce, authorities, at);

const proven = {
  authority: "CN=Reclaim simulated component maker",
  measurements: [
    { index: 1, kind: "firmware configuration", value: "01020304" },
    { index: 2, kind: "firmware", value: "ab".repeat(32) },
  ],
};

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
const model = commonNamed("Reclaim simulated components of 2026");
const modelKey = keyFrom("reclaim: simulated components of 2026");
/** The certificates of a component with this key. */
const certificatesFor = (key: KeyObject): string =>
  [
    pem(certificateDer(signerPlan(commonNamed("another"), key, model, modelKey))),
    ...componentCertificates("GPU 1")
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .slice(1),
  ].join("");

describe("measurements that are proven", () => {
  it.each([0x11, 0x12, 0x13] as const)("of SPDM version %i", (version) => {
    expect(judged(spdmReport(plan({ version })))).toEqual(proven);
  });

  it("of a key of P-384 with SHA-384", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
    for (const version of [0x11, 0x12] as const)
      expect(
        judged(spdmReport(plan({ version, key: privateKey, hash: "sha384" })), {
          certificates: certificatesFor(privateKey),
          hashingAlgorithm: "TPM_ALG_SHA_384",
        }),
      ).toEqual(proven);
  });

  it("of a real GPU, an H100 of NVIDIA", () => {
    const { nonce, report, certificates } = h100;
    const root = certificates.slice(certificates.lastIndexOf("-----BEGIN CERTIFICATE-----")).join("\n");
    const answer = {
      ...{ nonce: Buffer.from(nonce, "hex"), hashingAlgorithm: "TPM_ALG_SHA_384" },
      ...{ certificates: certificates.join("\n"), authorities: root },
    };
    const whole = Buffer.from(report.join(""), "hex");
    const { authority, measurements } = judged(whole, answer);
    expect(authority).toBe("CN=NVIDIA Device Identity CA O=NVIDIA");
    expect(measurements.map(({ index }) => index)).toEqual(Array.from({ length: 64 }, (_, at) => at + 1));
    expect(measurements[1]).toMatchObject({
      kind: "firmware",
      value: expect.stringMatching(/^8048dfd1[0-9a-f]{88}$/),
    });
    expect(() => judged(changed(whole, 1_000), answer)).toThrow(/signature is not one/);
  });

  it("whose certificates are in any order, without the maker's own", () => {
    const all = componentCertificates("GPU 1")
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .filter(Boolean);
    const report = spdmReport(plan());
    expect(judged(report, { certificates: all.toReversed().join("") })).toEqual(proven);
    expect(judged(report, { certificates: all.slice(0, 2).join("") })).toEqual(proven);
  });

  it("one by one, with the last request signed for all", () => {
    const { values } = plan();
    const [first, second] = values.map((value) => unsignedReport(plan({ values: [value] })));
    if (first === undefined || second === undefined) throw new Error("two values are expected");
    // An unsigned request has neither nonce nor slot.
    const unsigned = Buffer.concat([Buffer.from([0x11, 0xe0, 0, 1]), first.subarray(4 + 32 + 1)]);
    const messages = Buffer.concat([unsigned, second]);
    expect(judged(Buffer.concat([messages, signatureOf(plan(), messages)]))).toEqual(proven);
  });
});

describe("measurements that are refused", () => {
  const report = spdmReport(plan());
  const since12 = spdmReport(plan({ version: 0x12 }));
  const other = { ...plan(), key: componentKey("GPU 2") };

  it.each<[what: string, () => unknown, reason: RegExp]>([
    ["of another request", () => judged(report, { nonce: randomBytes(32) }), /its nonce is not the one/],
    [
      "signed by another component",
      () => judged(spdmReport(other)),
      /signature is not one of the component's key/,
    ],
    ["with a changed value", () => judged(changed(report, 53)), /signature is not one/],
    ["with a changed agreement", () => judged(changed(since12, 20)), /signature is not one/],
    ["without a signature", () => judged(unsignedReport(plan())), /signature is not one/],
    [
      "with more after the signature",
      () => judged(Buffer.concat([report, Buffer.alloc(1)])),
      /signature is not one/,
    ],
    ["that are cut off", () => judged(report.subarray(0, 60)), /truncated/],
    [
      "of 1.2 without the agreement",
      () => judged(Buffer.concat([Buffer.from([0x12]), report.subarray(1)])),
      /does not begin as one of its version/,
    ],
    ["of a version of tomorrow", () => judged(changed(report, 0, 0x1f)), /SPDM version 0x1f/],
    [
      "that are there twice",
      () => judged(spdmReport(plan({ values: [...plan().values, ...plan().values] }))),
      /measurement 1 is there twice/,
    ],
    ["that are none", () => judged(spdmReport(plan({ values: [] }))), /no measurement/],
    ["of no hash", () => judged(report, { hashingAlgorithm: null }), /does not tell a hash/],
    [
      "of another hash",
      () => judged(report, { hashingAlgorithm: "TPM_ALG_SHA_384" }),
      /signature is not one/,
    ],
    ["of no certificate", () => judged(report, { certificates: "" }), /shows no certificate/],
    ["of no authority", () => judged(report, { authorities: "" }), /which is no authority of the site/],
    [
      "before the certificate is valid",
      () => judged(report, { at: Date.parse("2020-01-01") }),
      /is not valid before/,
    ],
    ["after it has expired", () => judged(report, { at: Date.parse("2055-01-01") }), /expired at 2049/],
    ["at no time", () => judged(report, { at: Number.NaN }), /is not valid before/],
    [
      "whose issuer is no authority",
      () => {
        const issuer = commonNamed("a component");
        const issuerKey = keyFrom("a component");
        const key = componentKey("GPU 1");
        const signed = signerPlan(issuer, issuerKey, model, modelKey);
        return judged(report, {
          certificates: [
            pem(certificateDer(signerPlan(commonNamed("x"), key, issuer, issuerKey))),
            // Nothing says what its key is for, so only its basic constraints tell.
            pem(certificateDer({ ...signed, extensions: signed.extensions.slice(0, 1) })),
            ...componentCertificates("GPU 1")
              .split(/(?<=-----END CERTIFICATE-----\n)/)
              .slice(1),
          ].join(""),
        });
      },
      /lead to CN=a component, which is no authority/,
    ],
    [
      "of two components at once",
      () => judged(report, { certificates: componentCertificates("GPU 1") + componentCertificates("GPU 2") }),
      /no chain/,
    ],
    ["larger than any", () => judged(Buffer.alloc(maxReportBytes + 1)), /at most/],
  ])("%s", (_what, look, reason) => {
    expect(look).toThrow(SpdmFault);
    expect(look).toThrow(reason);
  });

  it("are any bytes that nobody signed", { timeout: limitMs }, () => {
    const runs = inject("fuzz") ?? 300;
    const anyReport = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .tuple(fc.constantFrom(report, since12), fc.nat(400), fc.integer({ min: 1, max: 255 }))
        .map(([from, at, by]) => changed(from, at % from.length, (from[at % from.length] ?? 0) ^ by)),
      fc
        .tuple(fc.constantFrom(report, since12), fc.nat(400))
        .map(([from, end]) => from.subarray(0, end % from.length)),
    );
    fc.assert(
      fc.property(anyReport, (bytes) => {
        expect(() => judged(bytes)).toThrow(SpdmFault);
      }),
      { numRuns: runs },
    );
  });

  it(
    "and what is read of them ends, whatever they are",
    () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
          try {
            readReport(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(SpdmFault);
          }
        }),
        { numRuns: inject("fuzz") ?? 3_000 },
      );
    },
    limitMs,
  );
});

function changed(report: Uint8Array, at: number, value = (report[at] ?? 0) ^ 1): Buffer {
  const copy = Buffer.from(report);
  copy[at] = value;
  return copy;
}
