// A browser's cookie counts for the person who signed in there, and for nobody else.
import { expect, it } from "vitest";
import { deviceCookie, knownDevice } from "@/server/usecases/access/known-device";

const secret = "s".repeat(40);
const email = "ada@example.com";
const [cookie = ""] = deviceCookie(secret, email, true).split(";");

it("is sent to sign-in only, is not readable by pages, and lasts as long as an own address", () => {
  expect(deviceCookie(secret, email, true)).toMatch(
    /; Path=\/api\/auth; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(deviceCookie(secret, email, false)).not.toContain("Secure");
});
it("counts among other cookies", () =>
  expect(knownDevice(secret, email, `a=b; ${cookie}; c=d`)).toMatch(/^[\w-]{22}$/));
it.each([
  ["no cookie", null, email, secret],
  ["another person's", cookie, "bob@example.com", secret],
  ["one that another secret signed", cookie, email, "t".repeat(40)],
  ["a forged signature", `${cookie.slice(0, -4)}AAAA`, email, secret],
  ["a shorter signature", cookie.slice(0, -4), email, secret],
  ["another id", cookie.replace(/=..../, "=AAAA"), email, secret],
  ["junk", "reclaim-device=", email, secret],
])("does not count: %s", (_what, cookies, name, key) => expect(knownDevice(key, name, cookies)).toBeNull());
