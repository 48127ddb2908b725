// What the PDF says of each kind of statement.
import { expect, it } from "vitest";
import { buildReceipt } from "@/server/domain/assurance/certificates/receipt";
import { pagesOf, titleOf } from "@/server/domain/assurance/certificates/pdf/pages";
import type { Page } from "@/server/domain/assurance/certificates/pdf/pages";
import { predicateType, statement, wholeStatement } from "@/server/domain/assurance/certificates/statement";
import type { Statement } from "@/server/domain/assurance/certificates/statement";
import sample from "@/server/domain/assurance/certificates/pdf/testing/form-1.json";
import { openBundle } from "@/server/domain/assurance/certificates/verify";

const opened = openBundle(sample.bundle);
const first = "what" in opened ? expect.fail(opened.why) : wholeStatement.parse(opened.statement);
const whole = statement.parse({
  ...first,
  predicateType,
  predicate: {
    ...first.predicate,
    certificate: { ...first.predicate.certificate, standing: "proven" },
    host: { ...first.predicate.host, skuDrives: 1 },
    reclamation: { ...first.predicate.reclamation, restsOn: null },
    measuredBoot: null,
    devices: first.predicate.devices.map((device) => ({ ...device, manufacturer: "Samsung" })),
  },
});
const id = whole.predicate.certificate.id;
const changed = (predicate: Partial<Statement["predicate"]>): Statement => ({
  ...whole,
  predicate: { ...whole.predicate, ...predicate },
});
const headings = (page: Page | undefined) => page?.sections.map(({ heading }) => heading);
const field = (page: Page | undefined, label: string) =>
  page?.sections.flatMap(({ fields }) => fields).find(([name]) => name === label)?.[1];

it("has a page for the host, and one for each drive, in the fields of the form", () => {
  const [host, drive, ...more] = pagesOf(whole);
  expect(more).toEqual([]);
  expect(titleOf(whole)).toBe(`Certificate of sanitization ${id}`);
  expect(field(host, "Serial number")).toBe("7XKQ2D3");
  expect(field(host, "Asset tag")).toBeNull();
  expect(field(drive, "Manufacturer")).toBe("Samsung");
  expect(field(pagesOf(first)[1], "Manufacturer")).toBeNull();
  expect(field(drive, "Source")).toBe("host 7XKQ2D3, site a, rack 07, slot 12");
  expect(field(drive, "Serial number")).toBe("D1");
  expect(field(drive, "Method")).toBe("purge");
  expect(field(drive, "Destination")).toBe("reuse in the provider's fleet");
});

it("lists exceptions first, and says what a record of non-conformance is", () => {
  const person = { name: "Ada", at: "2026-11-23T12:00:00.000Z" };
  const excepted = changed({
    certificate: { ...whole.predicate.certificate, type: "withExceptions" },
    exceptions: [
      {
        ...{ gate: "storageSanitized", serial: "D1", reason: "broken", askedBy: person, approvedBy: person },
        ...{ until: "2026-12-24T00:00:00.000Z", measure: "locked row", risk: null },
      },
    ],
  });
  const [host] = pagesOf(excepted);
  expect(headings(host)?.[0]).toBe("Exceptions");
  expect(host?.sections[0]?.lines[0]).toContain("storageSanitized, D1: broken. Asked for by Ada");
  expect(host?.sections[0]?.lines[0]).toContain(
    "Holds until 2026-12-24T00:00:00.000Z. Measure: locked row. Risk that is left: not recorded",
  );
  const failed = changed({ certificate: { ...whole.predicate.certificate, type: "nonConformance" } });
  expect(pagesOf(failed)[0]?.title).toBe("Record of non-conformance");
});

it("tells a tenant nothing that its receipt does not say", () => {
  const receipt = buildReceipt(whole, { id, sha256: "0".repeat(64) }) ?? expect.fail("no receipt");
  const [machine, drive] = pagesOf(receipt);
  expect(machine?.title).toBe("Receipt of sanitization");
  expect(headings(drive)).toEqual(["Media", "Sanitization", "Verification"]);
  expect(field(drive, "Manufacturer")).toBe("Samsung");
  expect(JSON.stringify([machine, drive])).not.toMatch(/gpu-a-0417|R760|Sanitized and verified by/);
});

it("calls the receipt of a demo what it is", () => {
  const demo = { ...whole.predicate.certificate, type: "demo" as const };
  const receipt = buildReceipt(changed({ certificate: demo }), { id, sha256: "0".repeat(64) });
  expect(pagesOf(receipt ?? expect.fail("no receipt"))[0]?.title).toMatch(/certifies nothing/);
});
