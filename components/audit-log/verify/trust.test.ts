// Parsing of typed trust: keys, a policy, nothing, or neither.
import { expect, it } from "vitest";
import { readTrust } from "@/components/audit-log/verify/trust";
import { formatKey } from "@/server/domain/audit-log/note";
import { newSigner } from "@/server/domain/audit-log/testing/memory-log";

const { key } = newSigner();

it("takes keys, one a line", () =>
  expect(readTrust(`\n${formatKey(key)}\n \n`)).toMatchObject({
    ok: true,
    policy: { logs: [{ id: key.id }], quorum: "none" },
  }));

it("takes a policy", () =>
  expect(readTrust(`log ${formatKey(key)}\nquorum none\n`)).toMatchObject({
    ok: true,
    policy: { logs: [{ id: key.id }] },
  }));

it("trusts nobody where nothing is typed", () =>
  expect(readTrust(" \n")).toMatchObject({ ok: true, policy: { logs: [] } }));

it("says what is wrong", () => {
  expect(readTrust("hello")).toEqual({ ok: false, why: "hello is not a public key of a log." });
  // With one digit of the key changed, its id no longer matches.
  expect(readTrust(formatKey(key).replace(/.$/, (end) => (end === "A" ? "B" : "A")))).toMatchObject({
    ok: false,
  });
  expect(readTrust(`log ${formatKey(key)}\n`)).toMatchObject({ ok: false });
});
