// The account that the database runs as, and the folders it can reach.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { canReach, databaseAccount, parseAccounts } from "@/scripts/postgres/account.mjs";

const folder = mkdtempSync(join(tmpdir(), "reclaim reach "));
afterAll(() => rmSync(folder, { recursive: true }));

const passwd =
  "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104::/:/bin/sh\n";

describe("databaseAccount", () => {
  it("is the package's account, then nobody, for root; ourselves otherwise", () => {
    const root = process.getuid?.() === 0;
    expect(databaseAccount(passwd)?.name).toBe(root ? "postgres" : undefined);
    expect(databaseAccount(passwd.replace("postgres", "x"))?.name).toBe(root ? "nobody" : undefined);
  });
  it("reads the account file", () => {
    expect(parseAccounts(passwd)[2]).toEqual({ name: "postgres", uid: 101, gid: 104 });
  });
});

describe("canReach", () => {
  const stranger = { name: "stranger", uid: 54_321, gid: 54_321 };
  it("needs every folder on the way to be open", () => {
    const inner = join(folder, "inner");
    mkdirSync(inner);
    chmodSync(folder, 0o711);
    chmodSync(inner, 0o755);
    expect(canReach(inner, stranger)).toBe(canReach(tmpdir(), stranger)); // on a Mac, the temporary folder itself is private
    chmodSync(folder, 0o700);
    expect(canReach(inner, stranger)).toBe(false);
    expect(canReach(inner, undefined)).toBe(true);
  });
});
