// What the command prints: results to stdout as table, JSON or YAML; everything that is said about them to stderr.
import { stringify } from "yaml";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { CommandError } from "@/cli/exit-codes";
import { factsText, tableText } from "@/cli/output/table";
import type { Cell } from "@/cli/output/table";
import { durationWords, plain, timeWords, yesNo } from "@/cli/output/words";
import type { Settings } from "@/cli/settings/settings";
import type { Output, Surroundings } from "@/cli/surroundings";

type Value = string | number | boolean | Date | null | readonly string[];

export interface Column<Row> {
  /** In `--columns`, in the table's head, and in JSON where columns are chosen. */
  readonly name: string;
  readonly value: (row: Row) => Value;
  /** For tables, where the value alone is not what people read. */
  readonly text?: (row: Row, printer: Printer) => string;
  readonly tone?: (row: Row) => Tone | null;
  /** Never cut: it is what people copy. */
  readonly whole?: boolean;
  /** Only when asked for. */
  readonly extra?: boolean;
}

/** A part of what `show` prints. */
export type Part =
  | { readonly title?: string; readonly facts: readonly (readonly [string, string | Cell | null])[] }
  | { readonly title?: string; readonly table: string };

export class Printer {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #now: () => Date;
  readonly #columns: number | null;
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
    return at === null ? "" : timeWords(at, this.settings.utc);
  }

  /** How long ago, or until. */
  age(at: Date | null): string {
    return at === null ? "" : durationWords(Math.abs(this.#now().getTime() - at.getTime()));
  }

  /** A time with its age, such as `2026-11-21 14:43:19 (3 min ago)`. */
  timeAndAge(at: Date | null): string {
    if (at === null) return "";
    return `${this.time(at)} (${at.getTime() > this.#now().getTime() ? `in ${this.age(at)}` : `${this.age(at)} ago`})`;
  }

  /** A list. As JSON and YAML the rows as the server gave them, or the chosen columns. */
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): void {
    const chosen = this.#choose(columns);
    if (this.settings.output !== "table")
      return this.#data(
        this.settings.columns === null
          ? rows
          : rows.map((row) => Object.fromEntries(chosen.map(({ name, value }) => [name, value(row)]))),
      );
    if (rows.length === 0) return this.say(empty);
    this.#stdout.write(this.table(rows, chosen));
  }

  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
    const shown = columns.filter(({ extra }) => extra !== true || this.settings.columns !== null);
    return tableText(
      shown.map(({ name }) => name),
      rows.map((row) =>
        shown.map((column) => ({
          text: column.text === undefined ? this.#words(column.value(row)) : column.text(row, this),
          tone: column.tone?.(row) ?? null,
        })),
      ),
      { columns: this.#columns, colour: this.colour, whole: shown.map(({ whole }) => whole === true) },
    );
  }

  /** One thing: as a table its parts, else the whole. */
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
      return `${title}${factsText(facts, this.colour)}`;
    });
    this.#stdout.write(texts.filter((text) => text !== "").join("\n"));
  }

  /** A password or token that is shown once: alone on stdout, so that a script can take it; what it is, on stderr. */
  secret(value: unknown, secret: string, words: string): void {
    if (this.settings.output !== "table") return this.#data(value);
    this.say(words);
    this.#stdout.write(`${secret}\n`);
  }

  /** One of a stream: a line of JSON, a YAML document, or the text. */
  event(value: unknown, text: string): void {
    switch (this.settings.output) {
      case "json":
        this.#stdout.write(`${JSON.stringify(value)}\n`);
        return;
      case "yaml":
        this.#stdout.write(`---\n${toYaml(value)}`);
        return;
      case "table":
        this.#stdout.write(`${text}\n`);
    }
  }

  /** Something about the result, for people. */
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
    this.#stdout.write(
      this.settings.output === "yaml" ? toYaml(value) : `${JSON.stringify(value, null, 2)}\n`,
    );
  }
}

/** The same values as in JSON, dates as texts among them; no anchors, which few programs expect. */
const toYaml = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false, lineWidth: 0 });
