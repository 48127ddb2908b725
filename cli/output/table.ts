// Tables that fit the width of the terminal, with colour if enabled.
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { plain } from "@/cli/output/text";

export interface Cell {
  readonly text: string;
  readonly tone?: Tone | null | undefined;
}

const colours = {
  neutral: null,
  working: "36",
  waiting: "34",
  attention: "33",
  failed: "31",
  good: "32",
} as const satisfies Record<Tone, string | null>;

export function coloured(text: string, tone: Tone | null | undefined, colour: boolean): string {
  const code = tone === null || tone === undefined ? null : colours[tone];
  return colour && code !== null ? `\u001b[${code}m${text}\u001b[0m` : text;
}

const gap = "  ";
/** Below this width a column is unreadable. */
const narrowest = 8;
const lengthOf = (text: string): number => [...text].length;
const cut = (text: string, width: number): string =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join("")}…`;

/** Shrinks the widest columns first, down to a readable width, but never those marked as whole. If the terminal is still too narrow, it wraps. */
export function fitWidths(
  natural: readonly number[],
  total: number,
  whole: readonly boolean[] = [],
): readonly number[] {
  const widths = [...natural];
  const givers = () => widths.filter((_, index) => whole[index] !== true);
  const sum = () => widths.reduce((all, width) => all + width, gap.length * Math.max(0, widths.length - 1));
  while (sum() > total) {
    const width = Math.max(0, ...givers());
    const widest = widths.findIndex((other, index) => other === width && whole[index] !== true);
    if (width <= narrowest) break;
    const next = Math.max(narrowest, ...givers().filter((other) => other < width));
    const equals = givers().filter((other) => other === width).length;
    widths[widest] = Math.max(next, width - Math.max(1, Math.ceil((sum() - total) / equals)));
  }
  return widths;
}

/** How a column behaves when the terminal is too narrow for all. */
export interface TableColumn {
  readonly title: string;
  /** Neither cut nor left out: something people copy, or the state. */
  readonly whole?: boolean;
  /** Long text: takes the remaining width and wraps; if that is too little, it is printed below its row. */
  readonly long?: boolean;
  /** May be cut, but is not left out. */
  readonly kept?: boolean;
  /** Left out rather than cut: half a time means nothing. */
  readonly exact?: boolean;
}

export interface TableStyle {
  /** Width of the terminal; null if there is none, so that nothing is cut or left out. */
  readonly columns: number | null;
  readonly colour: boolean;
}

interface ListStyle extends TableStyle {
  /** Long texts take two lines at most; `show` has them in full. */
  readonly brief: boolean;
}

interface Laid {
  readonly text: string;
  /** Titles of the columns that did not fit. */
  readonly leftOut: readonly string[];
}

/** A column that would have to be narrower is left out instead. */
const readable = 14;
/** Long text with less space than this is printed below its row. */
const leastForSentences = 30;
const maxLines = 2;
const indent = "  ";

/** Wraps text into lines of at most `width`; a longer word is split. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    let rest = word;
    if (line !== "" && lengthOf(line) + 1 + lengthOf(rest) > width) {
      lines.push(line);
      line = "";
    }
    while (lengthOf(rest) > width) {
      lines.push([...rest].slice(0, width).join(""));
      rest = [...rest].slice(width).join("");
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}

/** The lines of a text; the last line of a shortened one says that there is more. */
function linesOf(text: string, width: number, brief: boolean): readonly string[] {
  const lines = text === "" ? [] : wrapWords(text, width);
  if (!brief || lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), cut(lines.slice(maxLines - 1).join(" "), width)];
}

const sumOf = (widths: readonly number[]): number =>
  widths.reduce((all, width) => all + width, gap.length * Math.max(0, widths.length - 1));

const isUncut = (column: TableColumn | undefined): boolean =>
  column?.whole === true || column?.exact === true;

/** Chooses the columns that fit; those on the right are left out first. */
function chooseColumns(
  columns: readonly TableColumn[],
  natural: readonly number[],
  total: number,
): readonly number[] {
  const needs = (index: number): number =>
    isUncut(columns[index]) ? (natural[index] ?? 0) : Math.min(natural[index] ?? 0, readable);
  let shown = columns.flatMap(({ long }, index) => (long === true ? [] : [index]));
  while (sumOf(shown.map(needs)) > total) {
    const last = shown.findLast((index) => columns[index]?.whole !== true && columns[index]?.kept !== true);
    if (last === undefined) break;
    shown = shown.filter((index) => index !== last);
  }
  return shown;
}

const padded = (lines: readonly (Cell & { readonly width: number })[], colour: boolean) =>
  lines
    .map(
      ({ text, width, tone }) =>
        `${coloured(text, tone, colour)}${" ".repeat(Math.max(0, width - lengthOf(text)))}`,
    )
    .join(gap)
    .trimEnd();

/** Lays out rows as lines no wider than the terminal: states in full, long texts in the remaining space or below. */
export function layTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  { columns: total, colour, brief }: ListStyle,
): Laid {
  const head = columns.map(({ title }) => ({ text: title.toUpperCase(), tone: null }));
  const texts = [head, ...rows.map((row) => row.map(({ text, tone }) => ({ text: plain(text), tone })))];
  const natural = columns.map((_, index) =>
    Math.max(...texts.map((row) => lengthOf(row[index]?.text ?? ""))),
  );
  if (total === null) {
    const lines = texts.map((row) =>
      padded(
        row.map((cell, index) => ({ ...cell, width: natural[index] ?? 0 })),
        colour,
      ),
    );
    return { text: `${lines.join("\n")}\n`, leftOut: [] };
  }
  const shown = chooseColumns(columns, natural, total);
  const widths = fitWidths(
    shown.map((index) => natural[index] ?? 0),
    total,
    shown.map((index) => isUncut(columns[index])),
  );
  const sentences = columns.findIndex(({ long }) => long === true);
  const left = total - sumOf(widths) - gap.length;
  const beside = sentences >= 0 && left >= Math.min(natural[sentences] ?? 0, leastForSentences);
  const lines = texts.flatMap((row) => {
    const cells = shown.map((index, at) => ({
      text: cut(row[index]?.text ?? "", widths[at] ?? 0),
      tone: row[index]?.tone ?? null,
      width: widths[at] ?? 0,
    }));
    const { text = "", tone = null } = row[sentences] ?? {};
    const [first = "", ...more] = linesOf(text, beside ? left : total - indent.length, brief);
    if (beside) {
      const before = " ".repeat(sumOf(widths) + gap.length);
      return [
        padded([...cells, { text: first, tone, width: 0 }], colour),
        ...more.map((line) => `${before}${coloured(line, tone, colour)}`),
      ];
    }
    return [
      padded(cells, colour),
      ...(first === "" ? [] : [first, ...more]).map((line) => `${indent}${coloured(line, tone, colour)}`),
    ];
  });
  const leftOut = columns.filter(({ long }, index) => long !== true && !shown.includes(index));
  return { text: `${lines.join("\n")}\n`, leftOut: leftOut.map(({ title }) => title) };
}

/** `label: value` lines with aligned values, which wrap in a terminal. */
export function factsText(
  facts: readonly (readonly [string, Cell])[],
  { columns, colour }: TableStyle,
): string {
  const width = Math.max(0, ...facts.map(([label]) => lengthOf(label)));
  const before = " ".repeat(width + gap.length);
  const room = columns === null ? null : Math.max(leastForSentences, columns - before.length);
  return facts
    .map(([label, { text, tone }]) => {
      const lines = room === null ? [plain(text)] : wrapWords(plain(text), room);
      const [first = "", ...more] = lines.map((line) => coloured(line, tone, colour));
      return [`${label.padEnd(width)}${gap}${first}`, ...more.map((line) => `${before}${line}`)]
        .map((line) => `${line}\n`)
        .join("");
    })
    .join("");
}
