// Bundles of certificate authorities: every fault with its line, also within the document.
import { describe, expect, it } from "vitest";
import {
  authoritiesFor,
  authorityExpiry,
  bundlesOf,
  normalPem,
  replaceAuthorities,
  storedAuthorities,
} from "@/server/domain/sites/authorities";
import { formatChange, siteDifference } from "@/server/domain/sites/difference";
import { completed, normalForm, siteDocument } from "@/server/domain/sites/document";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { readAuthorities } from "@/server/domain/sites/read-authorities";
import { shownChange } from "@/server/domain/sites/shown-changes";
import { authorityForTests, selfSigned } from "@/server/hardware/http/testing/self-signed";

const lab = authorityForTests("Lab CA");
const spare = authorityForTests("Spare CA");
const faultsOf = (pem: string) => readAuthorities(pem).faults;

describe("a bundle", () => {
  it("is read with subject, fingerprint and validity of each certificate", () => {
    const { certificates, faults } = readAuthorities(`${lab.cert}\nthe spare one:\n${spare.cert}`);
    expect(faults).toEqual([]);
    expect(certificates).toMatchObject([
      { subject: "CN=Lab CA", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { subject: "CN=Spare CA", validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ]);
  });
  it.each([
    ["nothing", "", 0, /no certificate/],
    ["a certificate that signs no others", selfSigned("bmc").cert, 0, /CN=bmc is no authority.*pin it/],
    [
      "a private key",
      `${lab.cert}${lab.key}`,
      lab.cert.trim().split("\n").length,
      /private key.*replace the key/,
    ],
    ["the same twice", `${lab.cert}${lab.cert}`, lab.cert.trim().split("\n").length, /twice/],
    ["no end", lab.cert.replace(/-----END.*/, ""), 0, /no END line/],
    ["an end alone", "-----END CERTIFICATE-----", 0, /no BEGIN line/],
    [
      "another end",
      lab.cert.replace("END CERTIFICATE", "END KEY"),
      lab.cert.trim().split("\n").length - 1,
      /must be END CERTIFICATE/,
    ],
    ["a damaged boundary", `---BEGIN CERTIFICATE---`, 0, /no BEGIN or END line/],
    ["a damaged line", lab.cert.replace(/\n./, "\n*"), 1, /not base64/],
    ["what is no certificate", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----", 0, /no X.509/],
    ["another kind", "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----", 0, /must be CERTIFICATE/],
  ])("with %s has a fault with its line", (_what, pem, line, message) =>
    expect(faultsOf(pem)[0]).toEqual({ line, message: expect.stringMatching(message) }),
  );
  it("never has its text in a fault", () => {
    const secret = lab.key.split("\n")[1] ?? "";
    expect(secret.length).toBeGreaterThan(20);
    expect(JSON.stringify(faultsOf(`${lab.key}${lab.cert.replace(/\n./, "\n*")}`))).not.toContain(secret);
  });
});

const indented = (text: string) => text.trim().replaceAll(/^/gm, "      ");
const documentOf = (pem: string) =>
  `format: 1\nsite: a\nauthorities:\n  lab:\n    usedFor: [bmc]\n    pem: |\n${indented(pem)}\n`;

describe("in a document", () => {
  it("is one form only, whatever is written around it", () => {
    const parsed = parseSiteDocument(documentOf(`made today\n${lab.cert}`));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { authorities = {}, bmcTrust } = normalForm(parsed.document);
    expect(bmcTrust).toBe("pinOrAuthority");
    expect(authorities).toEqual({ lab: { usedFor: ["bmc"], pem: lab.cert } });
    expect(normalPem(lab.cert.replaceAll("\n", "\r\n"))).toBe(lab.cert);
  });
  it("has its faults at the line of the document", () => {
    const parsed = parseSiteDocument(documentOf(`${lab.cert}${selfSigned("bmc").cert}`));
    expect(parsed).toMatchObject({
      ok: false,
      faults: [
        {
          line: 6 + lab.cert.trim().split("\n").length + 1,
          column: 7,
          path: "authorities.lab.pem",
          message: expect.stringContaining("no authority"),
        },
      ],
    });
  });
  it("as JSON has them at the setting, with the line of the PEM", () => {
    const document = {
      format: 1,
      site: "a",
      authorities: { lab: { usedFor: ["bmc"], pem: `\n${lab.key}` } },
    };
    expect(parseSiteDocument(JSON.stringify(document))).toMatchObject({
      ok: false,
      faults: [
        { path: "authorities.lab.pem", message: expect.stringMatching(/^line 2 of the PEM: .*private key/) },
      ],
    });
  });
  it("that is of an earlier release is the default", () =>
    expect(siteDocument.parse(completed({ format: 1, site: "a" }))).toMatchObject({
      bmcTrust: "pinOrAuthority",
    }));
});

it("is one word where changes are told", () => {
  const before = parseSiteDocument("format: 1\nsite: a");
  const after = parseSiteDocument(documentOf(`${lab.cert}${spare.cert}`));
  if (!before.ok || !after.ok) throw new Error("no document");
  expect(siteDifference(before.document, after.document).map(formatChange)).toEqual([
    'authorities: added {"lab":{"usedFor":["bmc"],"pem":"(certificate)(certificate)"}}',
  ]);
});

it("is told by subject and SHA-256 to who decides", () => {
  const { sha256 = "" } = readAuthorities(spare.cert).certificates[0] ?? {};
  const at = { kind: "set" as const, path: ["authorities", "lab", "pem"] };
  const { before, after } = shownChange({ ...at, before: lab.cert, after: `${lab.cert}${spare.cert}` });
  expect(before).toMatch(/^CN=Lab CA, SHA-256 [0-9A-F]{2}(:[0-9A-F]{2}){31}$/);
  expect(after).toBe(`${String(before)}; CN=Spare CA, SHA-256 ${formatFingerprint(sha256)}`);
  expect(shownChange({ ...at, before: { lab: [lab.cert] }, after: 7 })).toMatchObject({
    before: { lab: [before] },
    after: 7,
  });
});

it("counts for its uses; without one for a use, the system's count", () => {
  const given = {
    lab: { usedFor: ["bmc" as const], pem: "L" },
    both: { usedFor: ["bmc" as const, "networkController" as const], pem: "B" },
  };
  expect(authoritiesFor(given, "bmc")).toBe("LB");
  expect(authoritiesFor(given, "networkController")).toBe("B");
  expect(authoritiesFor({ lab: given.lab }, "networkController")).toBeNull();
});

it.each([
  ["2026-06-01T00:00:00.000Z", "expired"],
  ["2026-06-30T00:00:00.000Z", "soon"],
  ["2027-06-30T00:00:00.000Z", "later"],
  ["no time", "expired"],
])("valid until %s is %s", (validTo, expiry) =>
  expect(authorityExpiry(validTo, new Date("2026-06-02T00:00:00Z"))).toBe(expiry),
);

describe("what the release beside this one stored", () => {
  const stored = {
    lab: { usedFor: ["bmc", "agents"], pem: lab.cert, note: "until 2030" },
    spare: { usedFor: ["agents"], pem: spare.cert },
  };

  it("is read without members and uses that are not known here", () => {
    expect(storedAuthorities.parse(stored)).toEqual({ lab: { usedFor: ["bmc"], pem: lab.cert } });
    expect(bundlesOf(stored)).toEqual({ bmc: lab.cert, networkController: null, component: null });
  });

  it("stays when it is written back; what is left out goes", () => {
    const after = { lab: { usedFor: ["networkController" as const], pem: spare.cert } };
    expect(replaceAuthorities(stored, after)).toEqual({
      lab: { usedFor: ["networkController", "agents"], pem: spare.cert, note: "until 2030" },
      spare: stored.spare,
    });
    expect(replaceAuthorities(stored, {})).toEqual({ spare: stored.spare });
    expect(replaceAuthorities({}, after)).toEqual(after);
  });

  it.each([
    ["no list of uses", { lab: { usedFor: "bmc", pem: lab.cert } }],
    ["only certificates issued", { lab: { usedFor: ["bmc"] } }],
    ["no authorities", []],
  ])("vouches for nothing where it is %s", (_what, wrong) => expect(bundlesOf(wrong)).toBeNull());
});
