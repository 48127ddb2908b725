// What browser and server exchange for passkeys: the JSON of WebAuthn Level 3, 5.1.8 to 5.1.10 (https://www.w3.org/TR/webauthn-3/).
import { z } from "zod";

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, "must be base64url");

/** An authenticator's answer to the options of `begin`. Members that nothing reads are dropped. */
export const assertion = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
export type Assertion = z.infer<typeof assertion>;

/** An authenticator's answer to the options of `beginAdd`. */
export const registration = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});
export type Registration = z.infer<typeof registration>;

const credential = z.strictObject({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()),
});

/** PublicKeyCredentialRequestOptionsJSON. */
export const requestOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(credential),
  userVerification: z.literal("required"),
  timeout: z.number(),
});

/** PublicKeyCredentialCreationOptionsJSON. */
export const creationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal("public-key"), alg: z.number() })),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal("preferred"),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
  timeout: z.number(),
});
