// The PDF of a certificate: its bundle determines its bytes, and any change to them is detected. The bundle in form-1.json never changes.
import { createHash } from "node:crypto";
import readQrCode from "jsqr";
import { beforeAll, describe, expect, it } from "vitest";
import { parseKey } from "@/server/domain/audit-log/note";
import type { Policy } from "@/server/domain/audit-log/policy";
import { certificatePdf, checkAddress } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import { drawable } from "@/server/domain/assurance/certificates/pdf/drawable";
import { isPdf } from "@/server/domain/assurance/certificates/pdf/is-pdf";
import sample from "@/server/domain/assurance/certificates/pdf/testing/form-1.json";
import { verifyPdf } from "@/server/domain/assurance/certificates/pdf/verify-pdf";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { openBundle } from "@/server/domain/assurance/certificates/verify";

const address = checkAddress("https://reclaim.test/", "10000000-0000-4000-8000-000000000001") ?? "";
const trusting = (key: string): Policy => ({
  logs: [parseKey(key) ?? expect.fail("not a key")],
  witnesses: [],
  groups: new Map(),
  quorum: "none",
});

/** The text of an uncompressed PDF, one character per byte. */
const textOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString("latin1");
/** A bundle as it appears in that text: its signature lines begin with a dash, which is three bytes. */
const within = (bundle: string): string => textOf(Buffer.from(bundle, "utf8"));
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const made = async (bundle: string, at = address): Promise<Uint8Array> =>
  (await certificatePdf(bundle, at)) ?? expect.fail("no PDF");

/** The content of the QR code: the squares drawn on the first page, painted on white and read by an independent decoder. */
function decoded(text: string): string | undefined {
  const first = text.slice(0, text.indexOf(" TJ"));
  const squares = [...first.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map((found) =>
    found.slice(1).map(Number),
  );
  const [left, top] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis] ?? 0)));
  const [pixelsPerModule, quiet, side] = [4, 4, 400];
  const image = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [x = 0, y = 0, cell = 1] of squares) {
    const [column, row] = [x - (left ?? 0), y - (top ?? 0)].map((at) => Math.round(at / cell) + quiet);
    for (let pixel = 0; pixel < pixelsPerModule ** 2; pixel += 1) {
      const across = (column ?? 0) * pixelsPerModule + (pixel % pixelsPerModule);
      const down = (row ?? 0) * pixelsPerModule + Math.floor(pixel / pixelsPerModule);
      image.fill(0, (down * side + across) * 4, (down * side + across) * 4 + 3);
    }
  }
  return readQrCode(image, side, side)?.data;
}

let pdf: Uint8Array;
beforeAll(async () => {
  pdf = await made(sample.bundle);
});

describe("the file", () => {
  it("has the same bytes on every machine and with every release of this form", () => {
    // If this changes, PDFs that people already have no longer verify: raise the number in pdfForm.
    expect(createHash("sha256").update(pdf).digest("hex")).toBe(
      "303efd759ca54d72f56d561f85b23e20ccbf442e8fe34185d32a671d8e6a74d1",
    );
  });

  it("is PDF/A-3b with the bundle as its source, byte for byte, and with its fonts inside", () => {
    const text = textOf(pdf);
    expect(isPdf(pdf)).toBe(true);
    const wanted = [
      "<pdfaid:part>3</pdfaid:part>",
      "<pdfaid:conformance>B</pdfaid:conformance>",
      "/AFRelationship /Source",
      "/S /GTS_PDFA1",
      `stream\n${within(sample.bundle)}\nendstream`,
    ];
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
    expect(text.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(/\/BaseFont \/Helvetica|\/Filter|\/Encrypt|\/JavaScript/.exec(text)).toBeNull();
    // Glyph 0 is the empty box and must not occur.
    const drawn = text.match(/\[[^\]]*\] TJ/g) ?? [];
    expect(drawn.length).toBeGreaterThan(50);
    expect(drawn.filter((line) => /<(?:[0-9a-f]{4})*?0000/.test(line))).toEqual([]);
  });

  it("has a page for each drive besides those of the host", () => {
    expect(textOf(pdf).includes("/Count 3")).toBe(true);
  });

  it("has a QR code that leads to the certificate, as a camera reads it", () => {
    expect(decoded(textOf(pdf))).toBe(address);
  });

  it("is made of bundles only, and with an address that can be written", async () => {
    expect(await certificatePdf("{}", address)).toBeNull();
    expect(await certificatePdf(sample.bundle, "https://reclaim.test/<x>")).toBeNull();
    expect(checkAddress("https://reclaim.test/?a=b", "1")).toBeNull();
  });
});

describe("verifyPdf", () => {
  const what = async (bytes: Uint8Array, key = sample.key): Promise<readonly string[]> =>
    (await verifyPdf(bytes, trusting(key), null)).faults.map((fault) => fault.what);

  it("finds nothing wrong with what was made, and says who signed and where the code leads", async () => {
    const verified = await verifyPdf(pdf, trusting(sample.key), null);
    expect(verified).toMatchObject({ faults: [], type: "certificate", address });
    expect(verified.signer?.name).toBe("reclaim.test/audit-log");
  });

  it("names the pages when they are of another bundle", async () => {
    const same = openBundle(sample.bundle);
    const other = sampleBundle({ change: (said) => ("what" in same ? said : same.statement) });
    const text = textOf(pdf);
    const swapped = text.replace(within(sample.bundle), () => within(other.bundle));
    expect(swapped === text).toBe(false);
    expect(swapped.length).toBe(text.length);
    expect(await what(bytesOf(swapped), other.key)).toEqual(["pdf"]);
  });

  it.each([
    ["a byte is added", (text: string) => `${text}\n`],
    ["a glyph of a page is another", (text: string) => text.replace("[<0001", "[<0002")],
    ["a revision is added", (text: string) => `${text}1 0 obj\n<<>>\nendobj\n%%EOF\n`],
    [
      "the code leads elsewhere",
      (text: string) => text.replaceAll("https://reclaim.test/", "https://evil.test/12"),
    ],
    ["it is of another form", (text: string) => text.replaceAll("certificate form 2", "certificate form 9")],
  ])("names the PDF when %s", async (_what, change) => {
    const changed = change(textOf(pdf));
    expect(changed === textOf(pdf)).toBe(false);
    expect(await what(bytesOf(changed))).toEqual(["pdf"]);
  });

  it("names both when a byte of what is attached is another", async () => {
    const payload = JSON.parse(sample.bundle).envelope.payload.slice(400, 440);
    const changed = textOf(pdf).replace(payload, `A${payload.slice(1)}`);
    expect(changed === textOf(pdf)).toBe(false);
    const found = await what(bytesOf(changed));
    expect(found).toContain("pdf");
    expect(found.length).toBeGreaterThan(1);
  });

  it("names what is wrong with the bundle too", async () => {
    const { signatures } = JSON.parse(sample.bundle).envelope;
    const forged = sample.bundle.replace(signatures[0].sig, `AAAA${signatures[0].sig.slice(4)}`);
    expect(await what(await made(forged))).toEqual(["signature"]);
    expect(await what(pdf, sampleBundle().key)).toContain("key");
  });

  it("takes no other PDF for a certificate", async () => {
    const verified = await verifyPdf(bytesOf("%PDF-1.7\n%%EOF\n"), trusting(sample.key), null);
    expect(verified).toMatchObject({ faults: [{ what: "pdf" }], signer: null, statement: null });
  });
});

it("writes what the fonts cannot draw, and what turns the text around, as numbers", () => {
  expect(drawable("Zürich, Дата: 5 µs – ok")).toBe("Zürich, Дата: 5 µs – ok");
  expect(drawable("a\u{4e2d}b\u{202e}c\n")).toBe("a\\u{4e2d}b\\u{202e}c\\u{a}");
});
