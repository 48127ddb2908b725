// The agent's tool layer proves the identity of a real TPM in software to the real rules of the server.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  missingPrograms,
  startSoftwareTpm,
  valueOf,
  type SoftwareTpm,
} from "@/agent/attestation/testing/software-tpm";
import { offerCredential, secretHash } from "@/server/domain/attestation/identity";
import { readEndorsementKey } from "@/server/domain/attestation/tpm/public-area";
import { certificateDer, endorsementPlan, makerPlan } from "@/server/simulator/host/tpm/certificates";
import type { TpmTools } from "@/agent/tools/tools";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const nowMs = Date.parse("2026-11-30T00:00:00Z");
const authority = `-----BEGIN CERTIFICATE-----\n${certificateDer(makerPlan).toString("base64")}\n-----END CERTIFICATE-----\n`;

describe.runIf(missingPrograms.length === 0)("a TPM in software", () => {
  let tpm: SoftwareTpm;
  beforeAll(async () => {
    tpm = await startSoftwareTpm();
  });
  afterAll(() => tpm.stop());

  const offered = async (tools: TpmTools, type: "ecc" | "rsa", certificate: Uint8Array | null = null) => {
    const keys = valueOf(await tools.makeKeys(type));
    const body = {
      kind: "keys" as const,
      endorsementKey: base64(keys.endorsementKey),
      attestationKey: base64(keys.attestationKey),
      certificate: certificate === null ? null : base64(certificate),
    };
    return offerCredential(body, authority, nowMs, randomBytes);
  };

  it.each(["rsa", "ecc"] as const)("opens the credential for its keys (%s)", async (type) => {
    const offer = await offered(tpm.tools, type);
    const opened = valueOf(await tpm.tools.activateCredential(offer.credential));
    expect(secretHash(opened)).toEqual(offer.secretHash);
  });

  it("shows the same endorsement key in each boot, also after a clear, and another attestation key", async () => {
    const first = await offered(tpm.tools, "ecc");
    expect((await tpm.tools.clear()).value).toBe(true);
    const second = await offered(tpm.tools, "ecc");
    expect(second.keyDigest).toBe(first.keyDigest);
    expect(second.attestationKey.equals(first.attestationKey)).toBe(false);
  });

  it("does not open a credential for an attestation key of an earlier boot", async () => {
    const earlier = await offered(tpm.tools, "ecc");
    await offered(tpm.tools, "ecc");
    const answer = await tpm.tools.activateCredential(earlier.credential);
    expect(answer).toMatchObject({ value: null, status: expect.stringMatching(/integrity check failed/) });
  });

  it("says why, if a tenant has set an authorization for its endorsement hierarchy", async () => {
    await tpm.ask("changeauth", "-c", "e", "tenant");
    expect(await tpm.tools.makeKeys("ecc")).toMatchObject({
      value: null,
      status: expect.stringMatching(/authorization failure/),
    });
    expect((await tpm.tools.clear()).value).toBe(true);
    expect((await tpm.tools.makeKeys("ecc")).value).not.toBeNull();
  });

  it("has no certificate, and shows the one that its maker stored, without what fills it up", async () => {
    expect((await tpm.tools.endorsementCertificates()).value).toEqual([]);
    const { endorsementKey } = await offered(tpm.tools, "ecc");
    const der = certificateDer(endorsementPlan(readEndorsementKey(endorsementKey).key));
    const file = join(tpm.folder, "certificate");
    writeFileSync(file, Buffer.concat([der, Buffer.alloc(40, 0xff)]));
    const attributes = "ppwrite|writedefine|ppread|ownerread|authread|no_da|platformcreate";
    await tpm.ask("nvdefine", "-C", "p", "-s", String(der.length + 40), "-a", attributes, "0x01c0000a");
    await tpm.ask("nvwrite", "-C", "p", "-i", file, "0x01c0000a");
    const [found] = valueOf(await tpm.tools.endorsementCertificates());
    expect({ type: found?.type, der: base64(found?.der ?? new Uint8Array()) }).toEqual({
      type: "ecc",
      der: base64(der),
    });
    expect((await offered(tpm.tools, "ecc", found?.der)).verdict).toMatchObject({
      authority: "CN=Reclaim simulated TPM maker",
      faults: [],
    });
    // The certificate of another key of this TPM vouches for nothing.
    expect((await offered(tpm.tools, "rsa", found?.der)).verdict?.faults).toEqual([
      "it is for another key than the one that the TPM has",
    ]);
  });
});

if (missingPrograms.length > 0)
  it("is NOT TESTED without swtpm and tpm2-tools (Debian: apt-get install swtpm tpm2-tools)", () => {
    console.warn("NOT TESTED: the identity of a TPM in software. Debian: apt-get install swtpm tpm2-tools");
  });
