// Reads the cells of a workbook's first visible sheet (XLSX, ECMA-376 part 1, clause 18), whatever the file contains, within limits.
import { Inflate, Unzip } from "fflate";
import type { UnzipDecoder } from "fflate";
import { SaxesParser } from "saxes";
import type { SaxesTagPlain } from "saxes";

/** What a small file may become when it is unpacked: a list of 5,000 hosts has 6 MB. */
const unpackedBytes = 16_000_000;
const maxEntries = 200;
/** Up to where values are read. */
const maxRow = 10_000;
const maxColumn = 100;
/** Characters of all cells together; a text that many cells share counts for each. */
const maxCharacters = 1_000_000;

/** Why a workbook is not read, as what follows "the file". It never has a value of the file, which may be a password. */
export class WorkbookFault extends Error {}

const unusable = () => new WorkbookFault("is no workbook that can be read: save it as CSV UTF-8");

/** A cell that is not empty. `number` may also be a date, which differs in the format alone: `plain` says that its format shows the number as it is. */
export type WorkbookCell =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "number"; readonly text: string; readonly plain: boolean }
  | { readonly is: "date" | "boolean" | "error" };

export interface WorkbookRow {
  /** From 1. */
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: readonly (WorkbookCell | undefined)[];
}

interface Sheet {
  readonly name: string;
  /** Of its relationship. */
  readonly id: string;
  readonly isHidden: boolean;
}

export interface FirstSheet {
  /** Its rows with a value, hidden ones too. */
  readonly rows: readonly WorkbookRow[];
  readonly name: string;
  /** The other sheets of the workbook. */
  readonly others: readonly Pick<Sheet, "name" | "isHidden">[];
}

/** Packed bytes that are unpacked at once: at most 1,032 times as many come out of them, before `ondata` can refuse the rest. */
const pieceBytes = 4096;

/** Unpacks a part in pieces, so that it can be stopped whatever size the archive declares. */
class InPieces implements UnzipDecoder {
  static readonly compression = 8;
  ondata: UnzipDecoder["ondata"] = () => undefined;
  readonly #inflate = new Inflate((data, final) => this.ondata(null, data, final));
  push(data: Uint8Array, final: boolean): void {
    for (let at = 0; at < data.length; at += pieceBytes)
      this.#inflate.push(data.subarray(at, at + pieceBytes), final && at + pieceBytes >= data.length);
  }
}

/** With this, the end of an archive begins (APPNOTE 4.3.16). Without it, the rest of the file is missing. */
const archiveEnd = "PK\u0005\u0006";

/**
 * The XML files of the archive. What is unpacked is counted; no size that the archive declares is trusted. An archive with parts that its directory does not
 * list, or with two of one name, is refused: other programs, which read the directory, may show other cells.
 */
function unpack(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const end = Buffer.from(bytes).lastIndexOf(archiveEnd, undefined, "latin1");
  if (end < 0 || end + 12 > bytes.length) throw unusable();
  const listed = Buffer.from(bytes).readUInt16LE(end + 10);
  const files = new Map<string, Uint8Array>();
  const names = new Set<string>();
  let size = 0;
  let entries = 0;
  const archive = new Unzip((file) => {
    if (names.has(file.name)) throw unusable();
    names.add(file.name);
    if (!/\.(xml|rels)$/i.test(file.name)) return;
    entries += 1;
    const pieces: Uint8Array[] = [];
    file.ondata = (error, data, final) => {
      if (error !== null) throw error;
      size += data.length;
      if (size > unpackedBytes || entries > maxEntries)
        throw new WorkbookFault("is too large when it is unpacked: split the list, or save it as CSV UTF-8");
      pieces.push(data);
      if (final) files.set(file.name, Buffer.concat(pieces));
    };
    file.start();
  });
  archive.register(InPieces);
  archive.push(bytes, true);
  if (names.size !== listed) throw unusable();
  return files;
}

interface Handlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Calls the handlers in the order of the document, with names without their namespace. */
function walk(bytes: Uint8Array | undefined, { open, text, close }: Handlers): void {
  if (bytes === undefined) return;
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw unusable();
  });
  parser.on("opentag", ({ name, attributes }: SaxesTagPlain) => open?.(withoutPrefix(name), attributes));
  parser.on("text", (content) => text?.(content));
  parser.on("cdata", (content) => text?.(content));
  parser.on("closetag", ({ name }: SaxesTagPlain) => close?.(withoutPrefix(name)));
  parser.write(new TextDecoder().decode(bytes)).close();
}

/** An attribute, whatever its prefix. */
function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => withoutPrefix(each) === name);
  return key === undefined ? undefined : attributes[key];
}

/** The files that the workbook refers to: by the end of the relationship's type, and by its id. */
function relations(files: ReadonlyMap<string, Uint8Array>) {
  const byType = new Map<string, string>();
  const byId = new Map<string, string>();
  walk(files.get("xl/_rels/workbook.xml.rels"), {
    open: (name, { Id = "", Type = "", Target = "" }) => {
      if (name !== "Relationship") return;
      const path = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`;
      byId.set(Id, path);
      byType.set(Type.slice(Type.lastIndexOf("/") + 1), path);
    },
  });
  return { byType, byId };
}

/** `_x000D_` stands for a character that XML cannot have (clause 22.4.2.4). */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Collects the text of `t` elements, without the reading aids of Japanese texts (`rPh`). */
function textCollector() {
  let text = "";
  let inText = false;
  let aids = 0;
  return {
    open: (name: string) => {
      if (name === "rPh") aids += 1;
      else if (name === "t") inText = aids === 0;
    },
    text: (content: string) => {
      if (inText) text += content;
    },
    close: (name: string) => {
      if (name === "rPh") aids -= 1;
      else if (name === "t") inText = false;
    },
    take: () => {
      const taken = unescaped(text);
      text = "";
      return taken;
    },
  };
}

function sharedTexts(bytes: Uint8Array | undefined): readonly string[] {
  const texts: string[] = [];
  const collector = textCollector();
  walk(bytes, {
    ...collector,
    close: (name) => {
      collector.close(name);
      if (name === "si") texts.push(collector.take());
    },
  });
  return texts;
}

/** Formats that show a number as it is: General, 0 and @ (clause 18.8.30). In another one it may be a date, or have zeros that are not stored. */
const plainFormats: ReadonlySet<string> = new Set(["0", "1", "49"]);

/** For each style of a cell, whether it shows a number as it is. */
function plainStyles(bytes: Uint8Array | undefined): readonly boolean[] {
  const plain: boolean[] = [];
  let inside = false;
  walk(bytes, {
    open: (name, { numFmtId = "0" }) => {
      if (name === "cellXfs") inside = true;
      else if (inside && name === "xf") plain.push(plainFormats.has(numFmtId));
    },
    close: (name) => {
      if (name === "cellXfs") inside = false;
    },
  });
  return plain;
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

interface OpenCell {
  readonly type: string;
  readonly style: string;
  readonly column: number;
  value: string;
}

/** What a cell holds; undefined: nothing. */
function cellOf(
  { type, style, value }: OpenCell,
  inline: string,
  shared: readonly string[],
  plain: readonly boolean[],
): WorkbookCell | undefined {
  if (type === "inlineStr") return inline === "" ? undefined : { is: "text", text: inline };
  if (value === "") return undefined;
  if (type === "b") return { is: "boolean" };
  if (type === "e") return { is: "error" };
  if (type === "d") return { is: "date" };
  if (type === "str") return { is: "text", text: unescaped(value) };
  if (type === "n")
    return { is: "number", text: value.trim(), plain: style === "" || plain[Number(style)] === true };
  const text = type === "s" ? shared[Number(value)] : undefined;
  if (text === undefined) throw unusable();
  return text === "" ? undefined : { is: "text", text };
}

/** As XML Schema writes it (`xsd:boolean`). */
const isTrue = (text: string | undefined): boolean => text === "1" || text === "true";

function sheetRows(
  bytes: Uint8Array,
  shared: readonly string[],
  plain: readonly boolean[],
): readonly WorkbookRow[] {
  const rows: WorkbookRow[] = [];
  const collector = textCollector();
  let line = 0;
  let column = 0;
  let length = 0;
  let isHidden = false;
  let cells: (WorkbookCell | undefined)[] = [];
  let cell: OpenCell | null = null;
  let inValue = false;
  const put = (at: number, found: WorkbookCell) => {
    if (line > maxRow || at > maxColumn)
      throw new WorkbookFault(
        `has a value below row ${maxRow} or beside column ${maxColumn}: copy the list into a workbook of its own`,
      );
    length += "text" in found ? found.text.length : 0;
    if (length > maxCharacters) throw new WorkbookFault("has more than 1 MB of text: split the list");
    cells[at - 1] = found;
  };
  walk(bytes, {
    open: (name, { r, t = "n", s = "", hidden }) => {
      if (name === "row") {
        const next = r === undefined ? line + 1 : Number(r);
        if (!Number.isSafeInteger(next) || next <= line) throw unusable();
        [line, column, cells, isHidden] = [next, 0, [], isTrue(hidden)];
      } else if (name === "c") {
        const [, letters] = /^([A-Z]{1,3})\d+$/.exec(r ?? "") ?? [];
        if (r !== undefined && letters === undefined) throw unusable();
        const next = letters === undefined ? column + 1 : columnNumber(letters);
        if (next <= column || line === 0) throw unusable();
        column = next;
        cell = { type: t, style: s, column, value: "" };
      } else if (name === "v") inValue = cell !== null;
      else if (cell !== null) collector.open(name);
    },
    text: (content) => {
      if (inValue && cell !== null) cell.value += content;
      else collector.text(content);
    },
    close: (name) => {
      if (name === "v") inValue = false;
      else if (name === "c" && cell !== null) {
        const found = cellOf(cell, collector.take(), shared, plain);
        if (found !== undefined) put(cell.column, found);
        cell = null;
      } else if (name === "row") {
        if (cells.length > 0) rows.push({ line, isHidden, cells });
      } else collector.close(name);
    },
  });
  return rows;
}

/**
 * The cells that are not empty of the first sheet that is not hidden, which is the first that people see.
 * @param bytes The file
 * @throws WorkbookFault, and what fflate throws if the archive is damaged
 */
export function readFirstSheet(bytes: Uint8Array): FirstSheet {
  const files = unpack(bytes);
  const book = files.get("xl/workbook.xml");
  if (book === undefined) throw new WorkbookFault("is no XLSX workbook: save it as XLSX or as CSV UTF-8");
  const { byType, byId } = relations(files);
  const sheets: Sheet[] = [];
  walk(book, {
    open: (element, attributes) => {
      if (element !== "sheet") return;
      const { name = "", state = "visible" } = attributes;
      sheets.push({ name, id: attributeOf(attributes, "id") ?? "", isHidden: state !== "visible" });
    },
  });
  const first = sheets.find(({ isHidden }) => !isHidden);
  if (first === undefined && sheets.length > 0)
    throw new WorkbookFault("has only hidden sheets: show the one with the list");
  const sheet = files.get(byId.get(first?.id ?? "") ?? "");
  if (first === undefined || sheet === undefined) throw unusable();
  const shared = sharedTexts(files.get(byType.get("sharedStrings") ?? ""));
  const plain = plainStyles(files.get(byType.get("styles") ?? ""));
  return {
    rows: sheetRows(sheet, shared, plain),
    name: first.name,
    others: sheets.filter((each) => each !== first),
  };
}
