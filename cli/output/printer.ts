// Output of the command: results go to stdout as table, JSON or YAML; messages go to stderr.
import { stringify } from "yaml";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { CommandError } from "@/cli/exit-codes";
import { printed } from "@/cli/output/printed";
import { factsText, layTable } from "@/cli/output/table";
import type { Cell } from "@/cli/output/table";
import { durationText, plain, formatTime, yesNo } from "@/cli/output/text";
import type { Settings } from "@/cli/settings/settings";
import type { Output, Surroundings } from "@/cli/surroundings";

type Value = string | number | boolean | Date | null | readonly string[];

export interface Column<Row> {
  /** Used in `--columns`, in the table header, and in JSON if columns are chosen. */
  readonly name: string;
  readonly value: (row: Row) => Value;
  /** Display text for tables, if it differs from the value. */
  readonly text?: (row: Row, printer: Printer) => string;
  readonly tone?: (row: Row) => Tone | null;
  /** Never cut or left out: something people copy, or the state. */
  readonly whole?: boolean;
  /** Left out rather than cut; dates always are. */
  readonly exact?: boolean;
  /** Long text: takes the remaining width and wraps. One column per table. */
  readonly long?: boolean;
  /** Only on request. */
  readonly extra?: boolean;
}

/** A section of the output of `show`. */
export type Part =
  | { readonly title?: string; readonly facts: readonly (readonly [string, string | Cell | null])[] }
  | { readonly title?: string; readonly table: string };

export class Printer {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #now: () => Date;
  readonly #columns: number | null;
  /** Columns that did not fit into the terminal. */
  readonly #leftOut = new Set<string>();
  readonly colour: boolean;

  constructor(
    readonly settings: Pick<Settings, "output" | "columns" | "utc">,
    { stdout, stderr, now, environment }: Pick<Surroundings, "stdout" | "stderr" | "now" | "environment">,
  ) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#now = now;
    this.#columns = stdout.isTTY === true ? (stdout.columns ?? 80) : null;
    this.colour = stdout.isTTY === true && environment.colour;
  }

  time(at: Date | null): string {
    return at === null ? "" : formatTime(at, this.settings.utc);
  }

  /** How long ago, or how long until. */
  age(at: Date | null): string {
    return at === null ? "" : durationText(Math.abs(this.#now().getTime() - at.getTime()));
  }

  /** A time with its age, such as `2026-11-21 14:43:19+01:00 (3 min ago)`. */
  timeAndAge(at: Date | null): string {
    if (at === null) return "";
    return `${this.time(at)} (${at.getTime() > this.#now().getTime() ? `in ${this.age(at)}` : `${this.age(at)} ago`})`;
  }

  /** Prints a list. JSON and YAML contain the rows (docs/cli.md), or the chosen columns. */
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): void {
    const chosen = this.#choose(columns);
    if (this.settings.output !== "table")
      return this.#data(
        this.settings.columns === null
          ? rows
          : rows.map((row) => Object.fromEntries(chosen.map(({ name, value }) => [name, value(row)]))),
      );
    if (rows.length === 0) return this.say(empty);
    this.#stdout.write(this.table(rows, chosen, true));
    this.#sayWhatIsLeftOut("--columns selects columns, -o json shows all.");
  }

  /** @param brief shortens long texts, for lists whose rows can be shown individually */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], brief = false): string {
    const chosen = this.settings.columns !== null;
    const wanted = columns
      .filter(({ extra }) => extra !== true || chosen)
      .map((column) => ({ column, cells: rows.map((row) => this.#cell(row, column)) }));
    // In a terminal, a column without any value only takes space.
    const shown = wanted.filter(
      ({ column, cells }) =>
        this.#columns === null || chosen || column.whole === true || cells.some(({ text }) => text !== ""),
    );
    const { text, leftOut } = layTable(
      shown.map(({ column: { name, whole, exact, long, text: words, value } }) => ({
        title: name,
        whole: whole === true,
        long: long === true,
        kept: chosen,
        exact: exact ?? (words === undefined && rows.some((row) => value(row) instanceof Date)),
      })),
      rows.map((_, index) => shown.map(({ cells }) => cells[index] ?? { text: "" })),
      { columns: this.#columns, colour: this.colour, brief },
    );
    for (const title of leftOut) this.#leftOut.add(title);
    return text;
  }

  #cell<Row>(row: Row, column: Column<Row>): Cell {
    return {
      text: column.text === undefined ? this.#words(column.value(row)) : column.text(row, this),
      tone: column.tone?.(row) ?? null,
    };
  }

  /** Only a terminal leaves columns out. */
  #sayWhatIsLeftOut(advice: string): void {
    if (this.#leftOut.size > 0) this.say(`No room for: ${[...this.#leftOut].join(", ")}. ${advice}`);
  }

  /** Prints one thing: as a table its sections, otherwise the whole value. */
  show(value: unknown, parts: readonly Part[]): void {
    if (this.settings.columns !== null) throw new CommandError("usage", "--columns is for lists.");
    if (this.settings.output !== "table") return this.#data(value);
    const texts = parts.map((part) => {
      const title = part.title === undefined ? "" : `${part.title}\n`;
      if ("table" in part) return `${title}${part.table}`;
      const facts = part.facts.flatMap(([label, fact]) =>
        fact === null || fact === ""
          ? []
          : [[label, typeof fact === "string" ? { text: fact } : fact] as const],
      );
      return `${title}${factsText(facts, { columns: this.#columns, colour: this.colour })}`;
    });
    this.#stdout.write(texts.filter((text) => text !== "").join("\n"));
    this.#sayWhatIsLeftOut("A wider terminal or -o json shows them.");
  }

  /** A password or token that is shown once: alone on stdout, so that a script can read it; its description goes to stderr. */
  secret(value: unknown, secret: string, words: string): void {
    if (this.settings.output !== "table") return this.#data(value);
    this.say(words);
    this.#stdout.write(`${secret}\n`);
  }

  /** One event of a stream: a line of JSON, a YAML document, or the text. */
  event(value: unknown, text: string): void {
    switch (this.settings.output) {
      case "json":
        this.#stdout.write(`${JSON.stringify(printed(value))}\n`);
        return;
      case "yaml":
        this.#stdout.write(`---\n${toYaml(printed(value))}`);
        return;
      case "table":
        this.#stdout.write(`${text}\n`);
    }
  }

  /** A message about the result, on stderr. */
  say(text: string): void {
    this.#stderr.write(`${plain(text)}\n`);
  }

  text(text: string): void {
    this.#stdout.write(text);
  }

  #words(value: Value): string {
    if (value === null) return "";
    if (value instanceof Date) return this.time(value);
    if (typeof value === "boolean") return yesNo(value);
    return typeof value === "object" ? value.join(", ") : String(value);
  }

  #choose<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
    const { columns: names } = this.settings;
    if (names === null) return columns;
    return names.map((name) => {
      const found = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
      if (found === undefined)
        throw new CommandError(
          "usage",
          `There is no column ${name}.`,
          `There are ${columns.map((column) => column.name).join(", ")}.`,
        );
      return found;
    });
  }

  #data(value: unknown): void {
    const shown = printed(value);
    this.#stdout.write(
      this.settings.output === "yaml" ? toYaml(shown) : `${JSON.stringify(shown, null, 2)}\n`,
    );
  }
}

/** The same values as in JSON, with dates as strings; without anchors, which few programs expect. */
const toYaml = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false, lineWidth: 0 });
