// What a person must confirm with, and which authenticator responses are accepted.
import { expect, it } from "vitest";
import {
  challengeMs,
  challengeRefusal,
  confirmedText,
  confirmRefusal,
  counterRefusal,
  passkeySite,
  requiredMethod,
} from "@/server/domain/access/passkeys";
import { purposeDigest } from "@/server/domain/access/passkey-purpose";
import type { PasskeyPurpose } from "@/server/domain/access/passkey-purpose";

it.each([
  [0, "password"],
  [1, "passkey"],
  [10, "passkey"],
] as const)("who has %i passkeys confirms with: %s", (passkeys, method) =>
  expect(requiredMethod(passkeys)).toBe(method),
);

it.each([
  ["password", null, true, null],
  ["password", "password", false, null],
  ["passkey", "passkey", true, null],
  ["passkey", "password", true, "password is not enough"],
  ["passkey", null, true, "Confirm with your passkey"],
  ["passkey", "password", false, "Decide in the console: https://r.example/assurance."],
  ["passkey", null, false, "Decide in the console: https://r.example/assurance."],
] as const)("required %s, given %s, in the console %s: %s", (...row) => {
  const [required, given, inConsole, words] = row;
  const no = confirmRefusal({
    required,
    given,
    inConsole,
    decideAt: "https://r.example/assurance",
  });
  if (words === null) expect(no).toBeNull();
  else expect(no).toContain(words);
});

it.each([
  [
    "https://reclaim.example.org:8443",
    { ok: true, rpId: "reclaim.example.org", origin: "https://reclaim.example.org:8443" },
  ],
  ["http://localhost:3000", { ok: true, rpId: "localhost", origin: "http://localhost:3000" }],
  ["http://a.localhost", { ok: true, rpId: "a.localhost", origin: "http://a.localhost" }],
  ["http://reclaim.example.org", { ok: false, reason: expect.stringContaining("need https") }],
  ["https://10.0.0.1", { ok: false, reason: expect.stringContaining("need a host name") }],
  ["http://127.0.0.1:3000", { ok: false, reason: expect.stringContaining("need a host name") }],
  ["https://[fd00::1]", { ok: false, reason: expect.stringContaining("need a host name") }],
  [undefined, { ok: false, reason: expect.stringContaining("public address") }],
])("the site of %s", (publicUrl, site) => expect(passkeySite(publicUrl)).toEqual(site));

const a = { id: "0190AAAA-0000-7000-8000-00000000000a", evidence: "aa" };
const b = { id: "0190aaaa-0000-7000-8000-00000000000b", evidence: "bb" };
const decide = (...approvals: readonly (typeof a)[]): PasskeyPurpose => ({
  purpose: "decide",
  decision: "approved",
  approvals,
});

it("has one digest for the same decision, and another for everything else", () => {
  expect(purposeDigest(decide(a, b))).toBe(purposeDigest(decide(b, { ...a, id: a.id.toLowerCase() })));
  const others: readonly PasskeyPurpose[] = [
    decide(a, b),
    decide(a),
    decide({ ...a, evidence: "bb" }),
    { purpose: "decide", decision: "rejected", approvals: [a] },
    { purpose: "add" },
    { purpose: "register" },
    { purpose: "remove", passkeyId: a.id },
    { purpose: "remove", passkeyId: b.id },
  ];
  expect(new Set(others.map(purposeDigest)).size).toBe(others.length);
});

const used = { personId: "p", sessionId: "s", purpose: "d" };
const stored = { ...used, nowMs: 0, expiresAtMs: challengeMs };
it.each([
  ["none", null, "used already"],
  ["one that expired", { ...stored, nowMs: challengeMs }, "has expired"],
  ["another person's", { ...stored, personId: "q" }, "another session"],
  ["another session's", { ...stored, sessionId: "t" }, "another session"],
  ["one for something else", { ...stored, purpose: "e" }, "something else"],
] as const)("refuses a challenge: %s", (_what, challenge, words) =>
  expect(challengeRefusal(challenge, used)).toContain(words),
);
it("takes its own challenge until its end", () =>
  expect(challengeRefusal({ ...stored, nowMs: challengeMs - 1 }, used)).toBeNull());

it.each([
  [0n, 0n, false],
  [0n, 1n, false],
  [7n, 8n, false],
  [7n, 7n, true],
  [7n, 5n, true],
  [7n, 0n, true],
])("a counter that was %i and is %i is refused: %s", (before, now, refused) =>
  expect(counterRefusal(before, now) !== null).toBe(refused),
);

it("says what a decision was confirmed with, where that is known", () => {
  expect(confirmedText("passkey")).toBe(", with a passkey");
  expect(confirmedText("password")).toBe(", with a password");
  expect(confirmedText(null)).toBe("");
});
