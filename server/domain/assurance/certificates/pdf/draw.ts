// Lays out pages as PDF/A-3b (ISO 19005-3) with the bundle embedded. The same pages give the same bytes on every machine: nothing is compressed, because a
// compressor's output depends on the processor and on the version of Node; dates and ids come from the statement; the fonts are those of fonts.json.
import PDFDocument from "pdfkit";
import { encode } from "uqr";
import { drawable } from "@/server/domain/assurance/certificates/pdf/drawable";
import fonts from "@/server/domain/assurance/certificates/pdf/fonts.json";
import type { Page, Section } from "@/server/domain/assurance/certificates/pdf/pages";

/** The content of the document. */
export interface Drawing {
  readonly title: string;
  readonly at: Date;
  /** The page where the certificate can be checked, encoded in the QR code. */
  readonly address: string;
  /** Identifies how the bytes are generated. Another producer gives other bytes for the same bundle. */
  readonly producer: string;
  readonly bundle: { readonly name: string; readonly type: string; readonly text: string };
  readonly pages: readonly Page[];
}

type Document = InstanceType<typeof PDFDocument>;

const margins = { top: 48, bottom: 64, left: 48, right: 48 };
const ink = "#111111";
const faint = "#5c5c5c";
const size = { title: 17, heading: 11, text: 9, small: 8 };
const labelWidth = 132;
const qrSize = 92;

const textWidth = ({ page }: Document): number => page.width - margins.left - margins.right;

/** Keeps a heading on the same page as what follows it. */
function reserve(document: Document, height: number): void {
  if (document.y + height > document.page.maxY()) document.addPage();
}

function drawField(document: Document, label: string, value: string | null): void {
  const said = value === null || value === "" ? "not recorded" : drawable(value);
  const width = textWidth(document) - labelWidth;
  document.font("regular", size.text);
  const height = document.heightOfString(said, { width });
  reserve(document, Math.min(height, 300) + 3);
  const { y } = document;
  document.fillColor(faint).text(label, margins.left, y, { width: labelWidth - 8 });
  document
    .fillColor(value === null || value === "" ? faint : ink)
    .text(said, margins.left + labelWidth, y, { width });
  document.y += 3;
}

function drawSection(document: Document, { heading, fields, lines }: Section): void {
  reserve(document, 48);
  document.y += 9;
  document.font("bold", size.heading).fillColor(ink).text(heading, margins.left);
  document.y += 3;
  for (const [label, value] of fields) drawField(document, label, value);
  for (const line of lines) {
    document.font("regular", size.text).fillColor(ink);
    const width = textWidth(document);
    reserve(document, Math.min(document.heightOfString(drawable(line), { width }), 300) + 2);
    document.text(drawable(line), margins.left, document.y, { width });
    document.y += 2;
  }
}

/** At the top right of the first page. */
function drawCode(document: Document, address: string): void {
  const { data, size: modules } = encode(address, { ecc: "M", border: 4 });
  const cell = qrSize / modules;
  const [left, top] = [document.page.width - margins.right - qrSize, margins.top - 12];
  document.fillColor(ink);
  for (const [row, line] of data.entries())
    for (const [column, dark] of line.entries())
      if (dark) document.rect(left + column * cell, top + row * cell, cell, cell);
  document.fill();
}

function drawPage(document: Document, { title, subtitle, sections }: Page, address: string | null): void {
  document.addPage();
  const width = textWidth(document) - (address === null ? 0 : qrSize + 12);
  const top = margins.top;
  if (address !== null) drawCode(document, address);
  document.font("bold", size.title).fillColor(ink).text(drawable(title), margins.left, top, { width });
  document.font("regular", size.text).fillColor(faint).text(drawable(subtitle), { width });
  if (address !== null) {
    document
      .font("regular", size.small)
      .text(
        `Check this file offline: reclaim verify FILE.pdf. The code leads to an address that is not signed, so do not rely on it: ${drawable(address)}`,
        { width },
      );
    document.y = Math.max(document.y, top + qrSize - 20);
  }
  for (const each of sections) drawSection(document, each);
}

/** The document's name and the page number at the bottom of every page. */
function drawFeet(document: Document, title: string): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document
      .font("regular", size.small)
      .fillColor(faint)
      .text(`${title}, page ${page + 1} of ${count}`, margins.left, document.page.height - 44, {
        lineBreak: false,
      });
  }
}

function open({ title, at, address, producer }: Drawing): Document {
  const document = new PDFDocument({
    subset: "PDF/A-3b",
    pdfVersion: "1.7",
    compress: false,
    bufferPages: true,
    autoFirstPage: false,
    font: "",
    size: "A4",
    margins,
    lang: "en",
    displayTitle: true,
    info: { Title: title, Producer: producer, Creator: "Reclaim", Keywords: address, CreationDate: at },
  });
  document.registerFont("regular", Buffer.from(fonts.regular, "base64"));
  document.registerFont("bold", Buffer.from(fonts.bold, "base64"));
  return document;
}

export function drawPdf(drawing: Drawing): Promise<Uint8Array> {
  const { at, bundle, pages, address, title } = drawing;
  const document = open(drawing);
  const chunks: Uint8Array[] = [];
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    document.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    document.on("end", () => {
      resolve(new Uint8Array(Buffer.concat(chunks)));
    });
    document.on("error", reject);
  });
  // A separate constant because pdfkit's types lack `relationship`.
  const attached = {
    name: bundle.name,
    type: bundle.type,
    description: "The signed bundle, from which these pages are made",
    relationship: "Source",
    creationDate: at,
    modifiedDate: at,
  };
  document.file(Buffer.from(bundle.text, "utf8"), attached);
  for (const [number, page] of pages.entries()) drawPage(document, page, number === 0 ? address : null);
  drawFeet(document, title);
  document.end();
  return whole;
}
