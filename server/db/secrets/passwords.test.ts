// A password verifies only against its own hash, and an unknown person takes as long.
import { describe, expect, it } from "vitest";
import { hashPassword, nobody, verifyPassword } from "@/server/db/secrets/passwords";

describe("a password", () => {
  it("verifies", async () =>
    expect(await verifyPassword("correct horse", await hashPassword("correct horse"))).toBe(true));
  it("is argon2id", async () =>
    expect(await hashPassword("x")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/));
  it("has its own salt", async () => expect(await hashPassword("x")).not.toBe(await hashPassword("x")));
  it("refuses another", async () =>
    expect(await verifyPassword("wrong horse", await hashPassword("correct horse"))).toBe(false));
  it("refuses everything for nobody, with the same work as for somebody", async () => {
    expect(await verifyPassword("wrong horse", null)).toBe(false);
    const work = (hash: string) => hash.split("$").slice(0, 4);
    expect(work(nobody)).toEqual(work(await hashPassword("correct horse")));
    expect(nobody.length).toBe((await hashPassword("correct horse")).length);
  });
  it("refuses what is no hash", async () => expect(await verifyPassword("x", "plain:x")).toBe(false));
});
