// A secret opens only with its own key and at its own place.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSecretBox, SecretError } from "@/server/db/secrets/secret-box";

const key = randomBytes(32);
const box = createSecretBox(key);
const sealed = box.seal("calvin ü", "host.bmc_password:1");

describe("a sealed secret", () => {
  it("opens", () => expect(box.open(sealed, "host.bmc_password:1")).toBe("calvin ü"));
  it("does not show its text", () => expect(Buffer.from(sealed).includes("calvin")).toBe(false));
  it("differs each time", () =>
    expect(Buffer.from(box.seal("calvin ü", "host.bmc_password:1")).equals(Buffer.from(sealed))).toBe(false));
  it("does not open at another place", () =>
    expect(() => box.open(sealed, "host.bmc_password:2")).toThrow(SecretError));
  it("does not open with another key", () =>
    expect(() => createSecretBox(randomBytes(32)).open(sealed, "host.bmc_password:1")).toThrow(
      /another key/,
    ));
  it.each(Array.from({ length: sealed.length }, (_, index) => index))(
    "does not open with byte %i changed",
    (index) => {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, "host.bmc_password:1")).toThrow(SecretError);
    },
  );
});
