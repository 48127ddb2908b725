// The keys and certificates of a machine's TPM, by tpm2-tools (docs/attestation.md).
import { answerOf, given, refused, text } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import { afterAll, type TpmSession } from "@/agent/tools/machine/tpm-session";
import type { Answer, EndorsementCertificate, SealedCredential, TpmTools } from "@/agent/tools/tools";

/** Where makers store certificates of the two keys that `tpm2_createek` makes (TCG EK Credential Profile, 2.2.1.4 and 2.2.1.5). */
const certificateIndices = { 0x01c00002: "rsa", 0x01c0000a: "ecc" } as const;
const isCertificateIndex = (index: number): index is keyof typeof certificateIndices =>
  Object.hasOwn(certificateIndices, index);

/** `tpm2_getcap handles-nv-index`: one index per line; nothing at all for a TPM without any. Null: another line. Pure. */
export const readIndices = text((output) => {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const indices = lines.map((line) => Number(/^-\s+(0x[0-9a-f]{1,8})\s*$/i.exec(line)?.[1] ?? Number.NaN));
  return indices.some(Number.isNaN) ? null : indices;
});

const sequence = 0x30;
const twoLengthBytes = 0x82;
const headBytes = 4;

/** A certificate without what fills up its index (00h or FFh); null: it is none. Only its outermost length is read here. Pure. */
export function unpadded(bytes: Uint8Array): Uint8Array | null {
  const [tag, form, high = 0, low = 0] = bytes;
  if (tag !== sequence || form !== twoLengthBytes) return null;
  const length = headBytes + high * 256 + low;
  const rest = bytes.subarray(length);
  return length > bytes.length || rest.some((byte) => byte !== rest[0]) || (rest[0] ?? 0) % 0xff !== 0
    ? null
    : bytes.slice(0, length);
}

/** What `tpm2_activatecredential` reads: its magic number and version, then both structures. */
const credentialFile = ({ blob, secret }: SealedCredential): Uint8Array =>
  Buffer.concat([Buffer.from("badcc0de00000001", "hex"), blob, secret]);

async function readCertificates({
  run,
  device,
}: TpmSession): Promise<Answer<readonly EndorsementCertificate[]>> {
  const indices = answerOf(await run(programs.tpm2Getcap, ["-T", device, "handles-nv-index"]), readIndices);
  if (indices.value === null) return { ...indices, value: null };
  const found: EndorsementCertificate[] = [];
  for (const index of indices.value.filter(isCertificateIndex)) {
    const ran = await run(programs.tpm2NvRead, ["-T", device, `0x${index.toString(16)}`]);
    const certificate = answerOf(ran, unpadded);
    if (certificate.value === null) return { ...certificate, value: null };
    found.push({ type: certificateIndices[index], der: certificate.value });
  }
  return given(indices.command, found);
}

async function openCredential(
  { files, at, tpm }: TpmSession,
  credential: SealedCredential,
): Promise<Answer<Uint8Array>> {
  const session = at("session.ctx");
  const problem = await files.write(at("credential"), credentialFile(credential));
  if (problem !== null) return refused(`write ${at("credential")}`, problem);
  const keys = ["-c", at("ak.ctx"), "-C", at("ek.ctx")];
  const input = ["-i", at("credential"), "-o", at("secret"), "-P", `session:${session}`];
  const answer = await afterAll(
    [
      () => tpm(programs.tpm2StartAuthSession, "--policy-session", "-S", session),
      // The policy of an endorsement key: whoever knows the authorization of its hierarchy, which is empty after a clear.
      () => tpm(programs.tpm2PolicySecret, "-S", session, "-c", "e"),
      () => tpm(programs.tpm2ActivateCredential, ...keys, ...input),
    ],
    () => files.read(at("secret")),
  );
  await tpm(programs.tpm2FlushContext, session);
  return answer;
}

export function identityTools(
  session: TpmSession,
): Pick<TpmTools, "activateCredential" | "endorsementCertificates" | "makeKeys"> {
  const { files, at, tpm } = session;
  return {
    endorsementCertificates: () => readCertificates(session),
    makeKeys: (type) => {
      const ek = ["-G", type, "-c", at("ek.ctx"), "-u", at("ek.pub")];
      // Always of P-256: a TPM makes such a key in well under a second, and may take half a minute for an RSA key.
      const scheme = ["-G", "ecc", "-g", "sha256", "-s", "ecdsa"];
      const ak = ["-C", at("ek.ctx"), ...scheme, "-c", at("ak.ctx"), "-u", at("ak.pub")];
      return afterAll(
        [() => tpm(programs.tpm2CreateEk, ...ek), () => tpm(programs.tpm2CreateAk, ...ak)],
        async () => {
          const endorsementKey = await files.read(at("ek.pub"));
          const attestationKey = await files.read(at("ak.pub"));
          return endorsementKey === null || attestationKey === null
            ? null
            : { endorsementKey, attestationKey };
        },
      );
    },
    activateCredential: (credential) => openCredential(session, credential),
  };
}
