// Secrets at rest: AES-256-GCM with the key id and the row's place as associated data, so that a moved ciphertext does not open (docs/security.md#secrets-at-rest).
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from "node:crypto";

const version = 1;
const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + idBytes + nonceBytes + tagBytes;

/** Seals and opens texts for one key. `place` names table, column and row, such as `host.bmc_password:<host id>`. */
export interface SecretBox {
  seal(text: string, place: string): Uint8Array<ArrayBuffer>;
  /** Throws SecretError if the key, the place or a byte differs. */
  open(sealed: Uint8Array, place: string): string;
}

/** A secret that does not open. The message contains no part of it. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** Distinguishes keys without revealing anything about them. */
export function keyId(key: Buffer): Buffer {
  return createHash("sha256").update("reclaim key id").update(key).digest().subarray(0, idBytes);
}

/** Stored in the database, which then refuses processes with another key. Reveals nothing about the key, which is 32 random bytes. */
export function keyFingerprint(key: Buffer): string {
  return createHash("sha256").update("reclaim key fingerprint").update(key).digest("hex");
}

/** @param key 32 bytes */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== 32) throw new SecretError("the encryption key must have 32 bytes");
  const id = keyId(key);
  // From bytes, Node would determine the kind of key each time, which takes three times as long as sealing a password.
  const secret = createSecretKey(key);
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", secret, nonce);
      cipher.setAAD(Buffer.from(place, "utf8"));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return new Uint8Array(Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), body]));
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < headBytes || bytes[0] !== version)
        throw new SecretError(`${place}: not a sealed secret of this version`);
      if (!bytes.subarray(1, 1 + idBytes).equals(id))
        throw new SecretError(`${place}: sealed with another key than RECLAIM_ENCRYPTION_KEY`);
      const nonce = bytes.subarray(1 + idBytes, 1 + idBytes + nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", secret, nonce);
      decipher.setAAD(Buffer.from(place, "utf8"));
      decipher.setAuthTag(bytes.subarray(headBytes - tagBytes, headBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString("utf8");
      } catch {
        throw new SecretError(`${place}: changed, or moved here from another place`);
      }
    },
  };
}

/** The places of sealed columns. */
export const secretPlaces = {
  bmcPassword: (hostId: string) => `host.bmc_password:${hostId}`,
  credentialPassword: (credentialId: string) => `bmc_credential.password:${credentialId}`,
  webhookSecret: (webhookId: string) => `webhook.secret:${webhookId}`,
  auditKey: (keyId: string) => `audit_key.private_key:${keyId}`,
  policyChange: (changeId: string) => `policy_change.request:${changeId}`,
  networkToken: (siteId: string) => `site.network_token:${siteId}`,
};
