// A list in a workbook: which cells are taken, what a spreadsheet has changed, and what a file may cost.
import fc from "fast-check";
import { strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough, zipSync } from "fflate";
import { describe, expect, inject, it } from "vitest";
import { readLine } from "@/server/domain/hosts/enrolment/check-lines";
import type { ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { parseHostsWorkbook } from "@/server/domain/hosts/enrolment/parse-workbook";
import { sheetXml, workbookOf } from "@/server/domain/hosts/enrolment/testing/workbook";
import type { TestCell } from "@/server/domain/hosts/enrolment/testing/workbook";

const head = ["Name", "BMC Address", "Serial Number", "MAC Address", "slot"];
const host = ["gpu-1", "10.0.0.1", "00123456", "b8:3f:d2:90:97:c4", 7];
const parse = (...rows: readonly (readonly TestCell[])[]): ParsedList =>
  parseHostsWorkbook(workbookOf(sheetXml(rows)));

describe("a workbook", () => {
  it("is read with the numbers of its rows, without what is beside and below the table", () => {
    const parsed = parse(
      [...head, null],
      [],
      [...host, null, null],
      ["", " "],
      ["gpu-2", "10.0.0.2", null, null, "U7"],
    );
    expect(parsed).toEqual({
      ok: true,
      notice: null,
      lines: [
        {
          line: 3,
          faults: [],
          texts: {
            ...{ name: "gpu-1", bmcAddress: "10.0.0.1", serial: "00123456" },
            ...{ macs: "b8:3f:d2:90:97:c4", slot: "7" },
          },
        },
        {
          line: 5,
          faults: [],
          texts: { name: "gpu-2", bmcAddress: "10.0.0.2", serial: "", macs: "", slot: "U7" },
        },
      ],
    });
  });

  it("keeps the spaces of a password, which all other columns lose later", () => {
    const parsed = parse(
      ["name", "bmc_address", "bmc_username", "bmc_password"],
      [" a ", "10.0.0.1", "root", " p w "],
    );
    expect(
      parsed.ok && parsed.lines.map((line) => readLine(line, { credential: {}, secrets: {} })),
    ).toMatchObject([{ name: "a", host: { credential: { password: " p w " } } }]);
  });

  it.each<readonly [string, TestCell, RegExp]>([
    ["name", 1001, /is a number, and may have lost zeros/],
    ["serial", 123456, /is a number/],
    ["serial", 1.23457e11, /is a number/],
    ["macs", 40_000_000_000, /is a number/],
    ["bmc_password", 1234, /is a number/],
    ["slot", 7.5, /is a number/],
    ["slot", { date: 45_000 }, /was made a date/],
    ["slot", { date: 7 }, /was made a date/],
    ["rack", { date: 45_000.5 }, /was made a date/],
    ["serial", true, /true or false/],
    ["sku", { error: "#N/A" }, /formula's error/],
  ])("has a fault in its %s that is %j", (column, cell, message) => {
    const names = ["name", "bmc_address", ...(column === "name" ? [] : [column])];
    const parsed = parse(names, column === "name" ? [cell, "10.0.0.1"] : ["a", "10.0.0.1", cell]);
    expect(parsed.ok && parsed.lines[0]?.faults).toEqual([
      { line: 2, column, message: expect.stringMatching(message) },
    ]);
  });

  it.each(["S\u201c", "1.23457E+11"])("finds in texts what it finds in CSV: %s", (serial) => {
    const parsed = parse(["name", "bmc_address", "serial"], ["a", "10.0.0.1", serial]);
    const [line] = parsed.ok ? parsed.lines : [];
    expect(
      line && readLine(line, { credential: { username: "r", password: "p" }, secrets: {} }).faults,
    ).toMatchObject([{ line: 2, column: "serial" }]);
  });

  it("is read in its first sheet only, and says so", () => {
    const list = sheetXml([head, host]);
    expect(parseHostsWorkbook(workbookOf(list, sheetXml([["notes"]]), list))).toMatchObject({
      ok: true,
      lines: [{ line: 2 }],
      notice: 'The workbook has 3 sheets. Only "Sheet1", the first one that is not hidden, was read.',
    });
  });

  it("is read in the first sheet that people see, and names those that they do not", () => {
    const hidden = { xml: sheetXml([head, ["gpu-9", "10.0.0.9"]]), state: "hidden" } as const;
    const book = workbookOf(
      { ...hidden, name: "Old" },
      { xml: sheetXml([head, host]), name: "Rack 7" },
      { ...hidden, state: "veryHidden", name: "Lists" },
    );
    expect(parseHostsWorkbook(book)).toMatchObject({
      ok: true,
      lines: [{ line: 2, texts: { name: "gpu-1" } }],
      notice:
        'The workbook has 3 sheets. Only "Rack 7", the first one that is not hidden, was read. Hidden: "Old" and "Lists".',
    });
    expect(parseHostsWorkbook(workbookOf(hidden))).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringMatching(/only hidden sheets/) }],
    });
  });

  it("is read without its hidden rows, and names them", () => {
    const other = (n: number) => [`gpu-${n}`, `10.0.0.${n}`];
    const hide = (xml: string, ...rows: readonly number[]) =>
      rows.reduce((text, row) => text.replace(`<row r="${row}">`, `<row r="${row}" hidden="1">`), xml);
    const sheet = sheetXml([head, host, other(2), other(3), other(4)]);
    expect(parseHostsWorkbook(workbookOf(hide(sheet, 1, 3, 5)))).toMatchObject({
      ok: true,
      lines: [{ line: 2 }, { line: 4 }],
      notice: "Rows 3 and 5 are hidden in the workbook and were not read. Show them to enrol their hosts.",
    });
    expect(parseHostsWorkbook(workbookOf(hide(sheet, 3)))).toMatchObject({
      notice: "Row 3 is hidden in the workbook and was not read. Show it to enrol its host.",
    });
    expect(parseHostsWorkbook(workbookOf(hide(sheet, 2, 3, 4, 5)))).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringMatching(/all rows .* hidden/) }],
    });
  });

  it("may have rows without values far below, where a program stored a format", () => {
    const tail =
      '<row r="1048575" s="1"/><row r="1048576"><c r="A1048576" s="1"/> <c r="XFD1048576" s="1"/></row>';
    expect(parseHostsWorkbook(workbookOf(sheetXml([head, host], tail)))).toMatchObject({
      ok: true,
      lines: [{ line: 2 }],
    });
  });

  const far = (xml: string) => workbookOf(sheetXml([head, host], xml));
  it.each<readonly [string, Uint8Array, RegExp]>([
    ["no table", workbookOf(sheetXml([])), /empty/],
    ["an unknown column", workbookOf(sheetXml([["name", "bmc_address", "colour"], host])), /unknown column/],
    [
      "a value in a row far below",
      far('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
      /below row 10000/,
    ],
    ["a value in a column far away", far('<row r="9"><c r="XFD9"><v>1</v></c></row>'), /beside column 100/],
    ["a row number that is none", far('<row r="1.5"><c r="A3"><v>1</v></c></row>'), /no workbook/],
    ["rows in another order", far('<row r="1"><c r="A1"><v>1</v></c></row>'), /no workbook/],
    [
      "an entity of its own",
      workbookOf(`<!DOCTYPE a [<!ENTITY b "bb">]>${sheetXml([["&b;"]]).replace("&amp;", "&")}`),
      /no workbook/,
    ],
    [
      "a row number behind an entity",
      far('<row r="&#57;99999999"><c r="A3"><v>1</v></c></row>'),
      /below row/,
    ],
    [
      "a row number behind an end in quotes",
      far('<row a=">" r="999999999"><c r="A3"><v>1</v></c></row>'),
      /below row/,
    ],
    ["XML that ends early", far("</sheetData><row"), /no workbook/],
    ["another archive", zipSync({ "a.xml": strToU8("<a/>") }), /no XLSX workbook/],
    ["an archive that ends early", workbookOf(sheetXml([head, host])).subarray(0, 200), /no workbook/],
    ["too much text", workbookOf(sheetXml([head, ["x".repeat(1_000_001)]])), /more than 1 MB/],
    ["17 MB of blanks", zipSync({ "xl/workbook.xml": new Uint8Array(17_000_000).fill(32) }), /too large/],
  ])("with %s is refused as a whole", (_what, bytes, message) =>
    expect(parseHostsWorkbook(bytes)).toEqual({
      ok: false,
      faults: [expect.objectContaining({ message: expect.stringMatching(message) })],
    }),
  );

  it("is unpacked up to the limit, whatever sizes it declares", () => {
    const bytes = zipSync({ "xl/workbook.xml": new Uint8Array(17_000_000).fill(32) });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The uncompressed size, in the central directory (APPNOTE 4.3.12) and before the file itself (4.3.7).
    const directory = view.getUint32(bytes.length - 6, true);
    view.setUint32(directory + 24, 10, true);
    view.setUint32(22, 10, true);
    expect(parseHostsWorkbook(bytes)).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringMatching(/too large/) }],
    });
  });

  it.each(["xl/worksheets/sheet1.xml", "xl/worksheets/other.xml"])(
    "is not read if it has a part that its directory does not list: %s",
    (name) => {
      const directoryOf = (bytes: Uint8Array): number => Buffer.from(bytes).readUInt32LE(bytes.length - 6);
      const shown = workbookOf(sheetXml([head, host]));
      const added = zipSync({ [name]: strToU8(sheetXml([head])) });
      const bytes = Buffer.concat([
        shown.subarray(0, directoryOf(shown)),
        added.subarray(0, directoryOf(added)),
        shown.subarray(directoryOf(shown)),
      ]);
      expect(parseHostsWorkbook(bytes)).toMatchObject({
        ok: false,
        faults: [{ message: expect.stringMatching(/no workbook that can be read/) }],
      });
    },
  );

  it("may be written by a program that knows the sizes only afterwards", () => {
    const written: Uint8Array[] = [];
    const zip = new Zip((error, data) => {
      if (error !== null) throw error;
      written.push(data);
    });
    for (const [name, content] of Object.entries(unzipSync(workbookOf(sheetXml([head, host]))))) {
      const file = name.includes("styles") ? new ZipPassThrough(name) : new ZipDeflate(name);
      zip.add(file);
      file.push(content, true);
    }
    zip.end();
    expect(parseHostsWorkbook(Buffer.concat(written))).toEqual(parse(head, host));
  });

  it("never throws, and never tells a cell, whatever it holds", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "")),
      fc.double(),
      fc.boolean(),
      fc.record({ date: fc.nat() }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 5 }),
        fc.stringMatching(/^[a-z]{12}$/),
        (rows, secret) => {
          const parsed = parse(head, ...rows, [secret, secret, secret, secret, { error: secret }]);
          const faults = parsed.ok
            ? parsed.lines.flatMap((line) => readLine(line, { credential: {}, secrets: {} }).faults)
            : parsed.faults;
          return !JSON.stringify(faults).includes(secret);
        },
      ),
      { numRuns: inject("draw") === undefined ? 30 : 10 },
    );
  });

  it("never throws, however it is broken", () => {
    const whole = workbookOf(sheetXml([head, host]));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const broken = Uint8Array.from(whole);
        broken[at] = byte;
        return typeof parseHostsWorkbook(broken).ok === "boolean";
      }),
      { numRuns: inject("draw") === undefined ? 100 : 30 },
    );
  });
});
