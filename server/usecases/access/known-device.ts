// The cookie of a browser in which a person has signed in. Wrong passwords from elsewhere do not count against attempts with it, so a flood that names the
// person cannot keep them out, even from the same address (docs/security.md#people-and-tokens).
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ownAddressDays } from "@/server/domain/access/sign-in-limits";

const cookieName = "reclaim-device";
const idPattern = /^[\w-]{22}$/;

/** Bound to the email address: at another name, the cookie counts for nothing. */
const mac = (secret: string, email: string, id: string): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify([cookieName, email, id]))
    .digest();

/** A `Set-Cookie` header for the browser in which `email` has just signed in. It grants no access. */
export function deviceCookie(secret: string, email: string, secure: boolean): string {
  const id = randomBytes(16).toString("base64url");
  const value = `${id}.${mac(secret, email, id).toString("base64url")}`;
  return `${cookieName}=${value}; Path=/api/auth; Max-Age=${ownAddressDays * 86_400}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** The id of a browser in which `email` has signed in before. Null: none, another person's, or forged. Pure. */
export function knownDevice(secret: string, email: string, cookies: string | null): string | null {
  for (const pair of (cookies ?? "").split(/; */)) {
    const [name, value = ""] = pair.split("=", 2);
    const [id = "", given = ""] = value.split(".", 2);
    if (name !== cookieName || !idPattern.test(id)) continue;
    const expected = mac(secret, email, id);
    const bytes = Buffer.from(given, "base64url");
    // safety: sign-in: a forged device (false)
    if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) continue;
    return id;
  }
  return null;
}
