// What an agent sends of its TPM over real HTTP, by a simulated one.
import { randomBytes } from "node:crypto";
import { activationAnswer, identityAnswer } from "@/server/domain/attestation/protocol";
import { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";
import { registered } from "@/server/surfaces/machine/testing/agent-session";
import { post, type MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import type { TestHost } from "@/server/surfaces/machine/testing/machine-rows";

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** With a certificate, or without one. */
export function tpmWith(certificate: boolean): SimulatedTpm {
  for (;;) {
    const tpm = new SimulatedTpm(randomBytes(8).toString("hex"));
    if ((tpm.certificate() !== null) === certificate) return tpm;
  }
}

export function bodyOf(tpm: SimulatedTpm) {
  const { endorsementKey, attestationKey } = tpm.makeKeys();
  const certificate = tpm.certificate();
  return {
    kind: "keys",
    endorsementKey: base64(endorsementKey),
    attestationKey: base64(attestationKey),
    certificate: certificate === null ? null : base64(certificate),
  };
}

export function tpmCalls(fixture: MachineFixture) {
  const call = (name: string, token: string, body: object) =>
    post(fixture, `/agent/v1/attestation/${name}`, token, body);

  async function offered(token: string, tpm: SimulatedTpm): Promise<string> {
    const { status, body, text } = await call("identity", token, bodyOf(tpm));
    const credential = status === 200 ? identityAnswer.parse(body).credential : null;
    if (credential === null) throw new Error(`no credential: ${status} ${text}`);
    const { blob, secret } = credential;
    const opened = tpm.activate({ blob: Buffer.from(blob, "base64"), secret: Buffer.from(secret, "base64") });
    if (opened === null) throw new Error("not opened");
    return base64(opened);
  }

  /** Boots, registers and proves. */
  async function proven(host: TestHost, tpm: SimulatedTpm) {
    const token = await registered(fixture, host);
    const secret = await offered(token, tpm);
    const { body } = await call("activation", token, { secret });
    return { token, body, quote: activationAnswer.parse(body).quote ?? null };
  }

  const contest = (host: TestHost) =>
    fixture.query("UPDATE boot_window SET contested_at = now() WHERE host_id = $1", [host.id]);

  return { call, offered, proven, contest };
}
