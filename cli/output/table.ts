// Tables in a terminal: as wide as it is, with a tone where colour is wanted.
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { plain } from "@/cli/output/words";

export interface Cell {
  readonly text: string;
  readonly tone?: Tone | null;
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
/** Narrower than this a column says nothing. */
const narrowest = 8;
const lengthOf = (text: string): number => [...text].length;
const cut = (text: string, width: number): string =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join("")}…`;

/** The widest columns give way first, down to what can still be read, those that are to stay whole never; a terminal that is narrower yet wraps. */
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

/** @param columns of the terminal; null: no terminal, so nothing is cut */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  {
    columns,
    colour,
    whole = [],
  }: { readonly columns: number | null; readonly colour: boolean; readonly whole?: readonly boolean[] },
): string {
  const texts = rows.map((row) => row.map(({ text, tone }) => ({ text: plain(text), tone })));
  const natural = head.map((title, index) =>
    Math.max(lengthOf(title), ...texts.map((row) => lengthOf(row[index]?.text ?? ""))),
  );
  const widths = columns === null ? natural : fitWidths(natural, columns, whole);
  const line = (cells: readonly Cell[]): string =>
    cells
      .map(({ text, tone }, index) => {
        const shown = cut(text, widths[index] ?? 0);
        return `${coloured(shown, tone, colour)}${index === cells.length - 1 ? "" : " ".repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(shown)))}`;
      })
      .join(gap)
      .trimEnd();
  return `${[head.map((title) => ({ text: title.toUpperCase() })), ...texts].map(line).join("\n")}\n`;
}

/** `label: value` lines, the values in one column. */
export function factsText(facts: readonly (readonly [string, Cell])[], colour: boolean): string {
  const width = Math.max(0, ...facts.map(([label]) => lengthOf(label)));
  return facts
    .map(([label, { text, tone }]) => `${label.padEnd(width)}  ${coloured(plain(text), tone, colour)}\n`)
    .join("");
}
