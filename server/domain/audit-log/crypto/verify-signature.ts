// Checks a signature, in Node and in browsers.
import type NodeCrypto from "node:crypto";

/** Not imported: code that browsers load too must not have Node's modules in its bundle. */
const native: typeof NodeCrypto | undefined = globalThis.process?.getBuiltinModule?.("node:crypto");

/** The bytes that precede the public key in its SPKI form (RFC 8410; RFC 9881). */
const spkiHeads = {
  Ed25519: "302a300506032b6570032100",
  "ML-DSA-44": "30820532300b06096086480165030403110382052100",
} as const;

/** Verifies with the browser's Web Crypto. Null: the browser does not support the algorithm. */
async function byBrowser(
  algorithm: keyof typeof spkiHeads,
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | null> {
  const bytes = (of: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(of);
  const { subtle } = globalThis.crypto;
  const spki = Buffer.concat([Buffer.from(spkiHeads[algorithm], "hex"), key]);
  try {
    const imported = await subtle.importKey("spki", bytes(spki), algorithm, false, ["verify"]);
    return await subtle.verify(algorithm, imported, bytes(signature), bytes(message));
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return null;
    throw error;
  }
}

/** @param key the bytes of the public key. Null: this browser does not support the algorithm */
export async function verifySignature(
  algorithm: keyof typeof spkiHeads,
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | null> {
  if (native === undefined) return byBrowser(algorithm, key, message, signature);
  const spki = Buffer.concat([Buffer.from(spkiHeads[algorithm], "hex"), key]);
  return native.verify(
    null,
    message,
    native.createPublicKey({ key: spki, format: "der", type: "spki" }),
    signature,
  );
}
