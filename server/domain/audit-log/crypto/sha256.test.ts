// The SHA-256 used in browsers agrees with Node's at every length.
import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { plainSha256, sha256 } from "@/server/domain/audit-log/crypto/sha256";

it("the hash for browsers is Node's, at every length around a block's", () => {
  for (let length = 0; length <= 200; length += 1) {
    const bytes = randomBytes(length);
    const wanted = createHash("sha256").update(bytes).digest("hex");
    const half = Math.floor(length / 2);
    expect(Buffer.from(plainSha256(bytes.subarray(0, half), bytes.subarray(half))).toString("hex")).toBe(
      wanted,
    );
    expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(wanted);
  }
});
