// Proves the identity of the host's TPM to the server, once per boot and before the first command (docs/attestation.md). Nothing here stops a host: what went
// wrong is told to the server, which decides what it means.
import { wordsOf } from "@/agent/attestation/failed-tool";
import { showBoot } from "@/agent/attestation/show-boot";
import type { IdentityAnswer, IdentityBody } from "@/server/domain/attestation/protocol";
import type { Server } from "@/agent/protocol/server";
import type { Surroundings } from "@/agent/surroundings";
import type { EndorsementCertificate } from "@/agent/tools/tools";

type Around = Pick<Surroundings, "log" | "tools">;
type AttestationCalls = Pick<Server, "activation" | "identity" | "quote">;

const none = (why: "failed" | "noTpm", message: string): IdentityBody => ({ kind: "none", why, message });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "base64");

/** RSA if there is a certificate for both keys, or for none: every TPM has that key. */
const preferred = (certificates: readonly EndorsementCertificate[]): EndorsementCertificate | null =>
  certificates.find(({ type }) => type === "rsa") ?? certificates[0] ?? null;

/** Whether a tenant had locked the hierarchy of the endorsement key, and the clear of the TPM has opened it again. */
async function unlocked({ tools: { tpm }, log }: Around): Promise<boolean> {
  const state = await tpm.state();
  if (state.value?.endorsementSet !== true) return false;
  const cleared = await tpm.clear();
  log("warn", `TPM identity: its endorsement hierarchy was locked; ${wordsOf(cleared)}`);
  return cleared.value === true;
}

async function identityOf(around: Around, clearLocked: boolean): Promise<IdentityBody> {
  const { tpm } = around.tools;
  const found = await tpm.found();
  if (found.value === null) return none("failed", wordsOf(found));
  if (!found.value) return none("noTpm", "the kernel found no TPM");
  const certificates = await tpm.endorsementCertificates();
  if (certificates.value === null) return none("failed", wordsOf(certificates));
  const certificate = preferred(certificates.value);
  const type = certificate?.type ?? "rsa";
  let keys = await tpm.makeKeys(type);
  if (keys.value === null && clearLocked && (await unlocked(around))) keys = await tpm.makeKeys(type);
  if (keys.value === null) return none("failed", wordsOf(keys));
  return {
    kind: "keys",
    endorsementKey: base64(keys.value.endorsementKey),
    attestationKey: base64(keys.value.attestationKey),
    certificate: certificate === null ? null : base64(certificate.der),
  };
}

async function activate(around: Around, server: AttestationCalls, answer: IdentityAnswer): Promise<void> {
  const { log, tools } = around;
  const { credential, message } = answer;
  if (credential === null) {
    log("info", `TPM identity: ${message}`);
    return;
  }
  const sealed = { blob: bytesOf(credential.blob), secret: bytesOf(credential.secret) };
  const opened = await tools.tpm.activateCredential(sealed);
  if (opened.value === null) {
    log("warn", `TPM identity: ${wordsOf(opened)}`);
    await server.identity(none("failed", wordsOf(opened)));
    return;
  }
  const activated = await server.activation({ secret: base64(opened.value) });
  if (activated === null) return;
  log(activated.activated ? "info" : "warn", `TPM identity: ${activated.message}`);
  // The key that signs a quote is the one that was activated.
  const { quote } = activated;
  if (activated.activated && quote !== null && quote !== undefined) await showBoot(around, server, quote);
}

/**
 * To be called where the server asks for it: with a TPM of its own chip it takes some seconds.
 * @param clearLocked the host is being cleaned: a TPM that a tenant has locked is cleared now, because it can prove nothing
 */
export async function proveIdentity(
  around: Around,
  server: AttestationCalls,
  clearLocked: boolean,
): Promise<void> {
  const body = await identityOf(around, clearLocked);
  if (body.kind === "none") around.log("warn", `TPM identity: ${body.message}`);
  const answer = await server.identity(body);
  if (answer !== null) await activate(around, server, answer);
}
