// A fake browser with a passkey for component tests: it signs nothing and records what it was asked for.
import { onTestFinished, vi } from "vitest";

const some = new Uint8Array([1, 2, 3]).buffer;
/** The fake signature, in base64url. */
export const signed = "AQID";

interface Request {
  readonly publicKey: { readonly allowCredentials?: readonly unknown[] };
}

/** @param cancels the user does not confirm */
export function browserWithPasskey({ cancels = false } = {}): { readonly asked: Request[] } {
  const asked: Request[] = [];
  const get = (request: Request) => {
    asked.push(request);
    if (cancels) return Promise.reject(new DOMException("no", "NotAllowedError"));
    return Promise.resolve({
      ...{ id: signed, rawId: some, type: "public-key", authenticatorAttachment: "platform" },
      response: { clientDataJSON: some, authenticatorData: some, signature: some, userHandle: null },
      getClientExtensionResults: () => ({}),
    });
  };
  vi.stubGlobal("PublicKeyCredential", class {});
  const before = Object.getOwnPropertyDescriptor(navigator, "credentials");
  Object.defineProperty(navigator, "credentials", { configurable: true, value: { get } });
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(navigator, "credentials");
    else Object.defineProperty(navigator, "credentials", before);
  });
  return { asked };
}

/** What `passkeys.begin` answers. */
export const beginAnswer = () => ({
  origin: window.location.origin,
  options: {
    ...{ challenge: signed, rpId: "localhost", userVerification: "required", timeout: 1 },
    allowCredentials: [{ id: signed, type: "public-key", transports: ["internal"] }],
  },
});
