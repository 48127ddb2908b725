// A software authenticator for tests: creates keys and signs as specified in WebAuthn Level 3 (https://www.w3.org/TR/webauthn-3/), with node:crypto.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { z } from "zod";
import type {
  Assertion,
  creationOptions,
  Registration,
  requestOptions,
} from "@/server/contract/access/webauthn";

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** The few parts of CBOR (RFC 8949) that are needed: a head is a major type and a number. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

interface AuthenticatorContext {
  /** Origin of the requesting page. */
  readonly origin: string;
  /** Defaults to what the page asks for. */
  readonly rpId?: string;
  readonly challenge?: string;
  /** Whether the authenticator verified the user; defaults to true. */
  readonly verified?: boolean;
}

export class Authenticator {
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly id = base64url(randomBytes(32));
  /** How often it has signed. */
  counter = 0;

  constructor() {
    this.#key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  /** COSE_Key (RFC 9053): EC2, ES256, P-256. */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    return map(
      [number(1), number(2)],
      [number(3), number(-7)],
      [number(-1), number(1)],
      [number(-2), bytes(Buffer.from(x, "base64url"))],
      [number(-3), bytes(Buffer.from(y, "base64url"))],
    );
  }

  create(options: z.infer<typeof creationOptions>, said: AuthenticatorContext): Registration {
    const id = Buffer.from(this.id, "base64url");
    // Flags: attested credential data; user present, and verified.
    const data = Buffer.concat([
      this.#data(said.rpId ?? options.rp.id, 0x41 | (said.verified === false ? 0 : 4)),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.#coseKey(),
    ]);
    const attestationObject = map(
      [text("fmt"), text("none")],
      [text("attStmt"), map()],
      [text("authData"), bytes(data)],
    );
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(
          this.#clientData("webauthn.create", said.challenge ?? options.challenge, said.origin),
        ),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      },
    };
  }

  get(options: z.infer<typeof requestOptions>, said: AuthenticatorContext): Assertion {
    this.counter += 1;
    const data = this.#data(said.rpId ?? options.rpId, 0x01 | (said.verified === false ? 0 : 4));
    const client = this.#clientData("webauthn.get", said.challenge ?? options.challenge, said.origin);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#key.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    };
  }
}
