// Whether a password may be sent to a BMC, depending on the certificate it presents.
import { describe, expect, it } from "vitest";
import {
  fingerprint,
  formatFingerprint,
  judgeCertificate,
  formatRefusal,
} from "@/server/domain/hardware/certificate";
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
  refusal: trusted ? null : "DEPTH_ZERO_SELF_SIGNED_CERT",
});

const either = "pinOrAuthority";

describe("a certificate", () => {
  it.each([
    ["the pinned one", own, false, either, shows(own), own],
    ["the pinned one, which authorities vouch for, too", own, false, either, shows(own, true), own],
    ["the pinned one, of a site of authorities", own, false, "authority", shows(own), own],
    ["one that authorities vouch for", null, false, either, shows(other, true), null],
    [
      "one that authorities vouch for, of a site of authorities",
      null,
      false,
      "authority",
      shows(other, true),
      null,
    ],
    ["one that nobody vouches for, where first contact is believed", null, true, either, shows(other), other],
    ["any, where first contact is believed, of a site of pins", null, true, "pin", shows(other, true), other],
    ["none, over http", null, false, "pin", null, null],
  ] as const)("%s may be talked to", (_what, pinned, acceptFirst, by, seen, pin) =>
    expect(judgeCertificate({ pinned, acceptFirst, by }, seen)).toEqual({ ok: true, pin }),
  );

  it.each([
    [
      "another than the pinned one",
      own,
      false,
      either,
      shows(other),
      /a certificate other than the pinned one: SHA-256 CD:CD/,
    ],
    [
      "another than the pinned one, even if authorities vouch for it",
      own,
      true,
      "authority",
      shows(other, true),
      /other than the pinned/,
    ],
    ["none at all where one was pinned", own, true, either, null, /http/],
    [
      "one that nobody vouches for",
      null,
      false,
      either,
      shows(other),
      /trusted authority.*valid until 2036-01-01.*confirm it/,
    ],
    [
      "one that authorities vouch for, of a site of pins",
      null,
      false,
      "pin",
      shows(other, true),
      /pinned certificates only/,
    ],
    [
      "one that nobody vouches for, of a site of authorities, even at first contact",
      null,
      true,
      "authority",
      shows(other),
      /Add its issuer.*Nobody can confirm it/,
    ],
  ] as const)("%s is sent nothing", (_what, pinned, acceptFirst, by, seen, message) =>
    expect(judgeCertificate({ pinned, acceptFirst, by }, seen)).toEqual({
      ok: false,
      message: expect.stringMatching(message),
    }),
  );

  it.each([
    ["CERT_HAS_EXPIRED", /expired. Renew it/],
    ["CERT_NOT_YET_VALID", /clocks/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /another name/],
    ["SELF_SIGNED_CERT_IN_CHAIN", /Add its issuer/],
    [null, /Add its issuer/],
  ])("that is refused for %s says what to do", (code, words) => expect(formatRefusal(code)).toMatch(words));
});

describe("a fingerprint", () => {
  it.each([own, formatFingerprint(own), `sha256:${own}`, `SHA-256=${formatFingerprint(own)}`])(
    "%s is read",
    (text) => expect(fingerprint.parse(text)).toBe(own),
  );
  it.each(["", "ab", "zz".repeat(32), "ab".repeat(20)])("%j is none", (text) =>
    expect(fingerprint.safeParse(text).success).toBe(false),
  );
});
