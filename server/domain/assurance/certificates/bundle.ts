// A certificate as one self-contained file: the signed statement (DSSE, https://github.com/secure-systems-lab/dsse), the audit event with its digest,
// the proof that the log contains that event, and the key.
import { z } from "zod";

export const bundleMediaType = "application/vnd.reclaim.certificate-bundle+json";
export const payloadType = "application/vnd.in-toto+json";

/** Action of the audit event of an issued statement. */
export const issueAction = "certificate.issue";

const base64 = z.string().max(8_000_000);

export const bundleForm = z.strictObject({
  mediaType: z.literal(bundleMediaType),
  version: z.literal(1),
  envelope: z.strictObject({
    payloadType: z.literal(payloadType),
    /** The statement: canonical JSON, in base64. */
    payload: base64,
    signatures: z.array(z.strictObject({ keyid: z.string().max(300), sig: z.string().max(200) })).length(1),
  }),
  /** In the format of the log's keys: name, id and key. */
  key: z.string().max(300),
  /** The event, in the form that the log hashes. */
  entry: z.string().max(65_535),
  /** C2SP tlog-proof, with the checkpoint and the witnesses' cosignatures. */
  proof: z.string().max(300_000),
  /** Consistency proof from a checkpoint of that size, which somebody kept, to the checkpoint of the proof. */
  consistency: z
    .strictObject({ size: z.int().min(0), hashes: z.array(z.string().max(64)).max(128) })
    .optional(),
  /** RFC 3161 token over the signature, in base64; left out if no authority is configured. */
  timestamp: base64.optional(),
});
export type Bundle = z.infer<typeof bundleForm>;

/** The bytes that are signed (DSSE's pre-authentication encoding). No checkpoint begins like this, so one key can sign both. */
export const signedBytes = (payload: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `, "utf8"),
    payload,
  ]);
