// Makes workbooks (XLSX) for tests, as spreadsheets save them.
import { strToU8, zipSync } from "fflate";

/** A cell: a text, a number, a day (as its serial number in the format of a date), true or false, a formula's error, or XML as it is. */
export type TestCell =
  | string
  | number
  | boolean
  | null
  | { readonly date: number }
  | { readonly error: string }
  | { readonly xml: string };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function cellXml(cell: TestCell, at: string): string {
  if (cell === null) return `<c r="${at}" s="0"/>`;
  if (typeof cell === "string")
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if ("date" in cell) return `<c r="${at}" s="1"><v>${cell.date}</v></c>`;
  if ("error" in cell) return `<c r="${at}" t="e"><v>${cell.error}</v></c>`;
  return cell.xml;
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** @param tail XML after the last row, such as rows without values. */
export function sheetXml(rows: readonly (readonly TestCell[])[], tail = ""): string {
  const written = rows.map(
    (cells, index) =>
      `<row r="${index + 1}">${cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${index + 1}`)).join("")}</row>`,
  );
  return `${head}<worksheet xmlns="${main}"><sheetData>${written.join("")}${tail}</sheetData></worksheet>`;
}

/** A sheet that has a name of its own, or is hidden. */
interface TestSheet {
  readonly xml: string;
  readonly name?: string;
  readonly state?: "visible" | "hidden" | "veryHidden";
}

/** A workbook of these sheets. */
export function workbookOf(...given: readonly (string | TestSheet)[]): Uint8Array {
  const sheets = given.map((each): TestSheet => (typeof each === "string" ? { xml: each } : each));
  const names = sheets.map((_, index) => index + 1);
  const files: Record<string, string> = {
    "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.map(({ name, state = "visible" }, n) => `<sheet name="${name ?? `Sheet${n + 1}`}" sheetId="${n + 1}" state="${state}" r:id="rId${n + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join("")}<Relationship Id="rId0" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${head}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  for (const [index, { xml }] of sheets.entries()) files[`xl/worksheets/sheet${index + 1}.xml`] = xml;
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
