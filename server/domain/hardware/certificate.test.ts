// Whether a BMC may be given a password, by what it shows.
import { describe, expect, it } from "vitest";
import { fingerprint, fingerprintWords, judgeCertificate } from "@/server/domain/hardware/certificate";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";

const own = "ab".repeat(32);
const other = "cd".repeat(32);
const shows = (sha256: string, trusted = false): SeenCertificate => ({
  sha256,
  subject: "CN=idrac",
  issuer: "CN=idrac",
  validFrom: "2026-01-01T00:00:00.000Z",
  validTo: "2036-01-01T00:00:00.000Z",
  trusted,
});

describe("a certificate", () => {
  it.each([
    ["the pinned one", own, false, shows(own), own],
    ["the pinned one, which authorities vouch for, too", own, false, shows(own, true), own],
    ["one that authorities vouch for", null, false, shows(other, true), null],
    ["one that nobody vouches for, where first contact is believed", null, true, shows(other), other],
    ["none, over http", null, false, null, null],
  ])("%s may be talked to", (_what, pinned, acceptFirst, seen, pin) =>
    expect(judgeCertificate({ pinned, acceptFirst }, seen)).toEqual({ ok: true, pin }),
  );

  it.each([
    [
      "another than the pinned one",
      own,
      false,
      shows(other),
      /another certificate than the pinned one: SHA-256 CD:CD/,
    ],
    [
      "another than the pinned one, even if authorities vouch for it",
      own,
      true,
      shows(other, true),
      /another/,
    ],
    ["none at all where one was pinned", own, true, null, /http/],
    ["one that nobody vouches for", null, false, shows(other), /nobody vouches.*valid until 2036-01-01/],
  ])("%s is sent nothing", (_what, pinned, acceptFirst, seen, message) =>
    expect(judgeCertificate({ pinned, acceptFirst }, seen)).toEqual({
      ok: false,
      message: expect.stringMatching(message),
    }),
  );
});

describe("a fingerprint", () => {
  it.each([own, fingerprintWords(own), `sha256:${own}`, `SHA-256=${fingerprintWords(own)}`])(
    "%s is read",
    (text) => expect(fingerprint.parse(text)).toBe(own),
  );
  it.each(["", "ab", "zz".repeat(32), "ab".repeat(20)])("%j is none", (text) =>
    expect(fingerprint.safeParse(text).success).toBe(false),
  );
});
