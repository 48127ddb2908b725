// The calls of `/agent/v1/attestation`, by which a host proves the identity of its TPM (docs/adr/0147-tpm-identity.md). They come after `register`, so that a
// released server and a released agent, which know none of them, go on without.
import { z } from "zod";
import { maxCertificateBytes, maxEventLogBytes, nonceBytes } from "@/server/domain/attestation/limits";

const base64Of = (maxBytes: number) =>
  z
    .base64()
    .min(1)
    .max(Math.ceil(maxBytes / 3) * 4);

/** A key's public part, or one of the two parts of a credential. */
const structure = base64Of(1024);

/** `POST attestation/wanted`: asked first, because making keys takes a TPM some seconds. */
export const wantedBody = z.strictObject({});
export const wantedAnswer = z.object({
  identity: z.boolean(),
  /** A TPM whose endorsement hierarchy somebody has locked is cleared first: the host is being cleaned, and is measured or stays where it is. */
  clearLocked: z.boolean().optional(),
});
export type WantedAnswer = z.infer<typeof wantedAnswer>;

/** `POST attestation/identity` */
export const identityBody = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("keys"),
    /** TPM2B_PUBLIC */
    endorsementKey: structure,
    attestationKey: structure,
    /** DER; null: the TPM has none for this key. */
    certificate: base64Of(maxCertificateBytes).nullable(),
  }),
  /** `noTpm`: the kernel found none. `failed`: the TPM, or a program, answered something else. */
  z.strictObject({
    kind: z.literal("none"),
    why: z.enum(["noTpm", "failed"]),
    message: z.string().max(2000),
  }),
]);
export type IdentityBody = z.infer<typeof identityBody>;

/** `credential`: what the TPM has to open. Null: the server asks for nothing more, and `message` says why. */
export const identityAnswer = z.object({
  credential: z.object({ blob: structure, secret: structure }).nullable(),
  message: z.string(),
});
export type IdentityAnswer = z.infer<typeof identityAnswer>;

/** `POST attestation/activation`: what was in the credential. */
export const activationBody = z.strictObject({ secret: base64Of(64) });
export type ActivationBody = z.infer<typeof activationBody>;
export const activationAnswer = z.object({
  activated: z.boolean(),
  message: z.string(),
  /** What the TPM has to sign; left out or null: nothing. An agent of an earlier release does not read it. */
  quote: z
    .object({
      /** 32 random bytes. */
      nonce: base64Of(nonceBytes),
      /** Registers of the SHA-256 bank. */
      pcrs: z.array(z.int().min(0).max(23)).readonly(),
    })
    .nullish(),
});
export type ActivationAnswer = z.infer<typeof activationAnswer>;

/** `POST attestation/quote` (docs/adr/0150-measured-boot.md) */
export const quoteBody = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("quote"),
    /** TPMS_ATTEST */
    message: structure,
    /** TPMT_SIGNATURE */
    signature: structure,
    /** SHA-256 values by register, in hexadecimal digits. */
    pcrs: z.record(z.string().regex(/^([0-9]|1[0-9]|2[0-3])$/), z.string().regex(/^[0-9a-f]{64}$/)),
    /** As the firmware wrote it; null: the kernel shows none. */
    eventLog: base64Of(maxEventLogBytes).nullable(),
  }),
  z.strictObject({ kind: z.literal("none"), message: z.string().max(2000) }),
]);
export type QuoteBody = z.infer<typeof quoteBody>;
export const quoteAnswer = z.object({ accepted: z.boolean(), message: z.string() });
export type QuoteAnswer = z.infer<typeof quoteAnswer>;
