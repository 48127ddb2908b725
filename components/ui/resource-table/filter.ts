// The filter of a list that is whole in the browser: words, `column:value`, and a pasted list of names. Pure.
import type { SortValue, TableColumn } from "@/components/ui/table/columns";

/** One condition; its values are alternatives. */
interface Term {
  /** A column; null: any. */
  readonly column: string | null;
  readonly negated: boolean;
  readonly values: readonly string[];
}

type Filterable<Row> = Pick<TableColumn<Row>, "id" | "label" | "sort" | "text">;

/** What a column is filtered by: its text, otherwise the value that it is sorted by; null: it cannot be filtered. */
function valueOf<Row>({ text, sort }: Filterable<Row>): ((row: Row) => SortValue) | null {
  return text ?? (typeof sort === "function" ? sort : null);
}

/** The columns that a filter can name. */
export const filterKeys = <Row>(columns: readonly Filterable<Row>[]): readonly string[] =>
  columns.filter((column) => valueOf(column) !== null).map(({ id }) => id);

/** Terms are separated by spaces; quotes keep a space; a comma means or; a leading minus means not. */
export function parseTerms(filter: string, keys: readonly string[]): readonly Term[] {
  const words = filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
  return words.flatMap((word) => {
    const negated = word.startsWith("-") && word.length > 1;
    const plain = (negated ? word.slice(1) : word).replaceAll('"', "").toLowerCase();
    const colon = plain.indexOf(":");
    const column = keys.find((key) => key.toLowerCase() === plain.slice(0, colon)) ?? null;
    const values =
      column === null
        ? [plain]
        : plain
            .slice(colon + 1)
            .split(",")
            .filter((value) => value !== "");
    return values.length === 0 ? [] : [{ column, negated, values }];
  });
}

/** Text matches in part, or as a whole with an asterisk. A number matches exactly, or as `>4` and `<4`. A missing value matches `none`. */
function matches(actual: SortValue, wanted: string): boolean {
  if (actual === null) return wanted === "none";
  if (typeof actual === "number" || typeof actual === "bigint") {
    const limit = Number(wanted.replace(/^[<>]/, ""));
    if (wanted.startsWith(">")) return actual > limit;
    return wanted.startsWith("<") ? actual < limit : Number(actual) === limit;
  }
  const text = (actual instanceof Date ? actual.toISOString() : actual).toLowerCase();
  if (!wanted.includes("*")) return text.includes(wanted);
  const pattern = wanted.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`, "s").test(text);
}

/** The rows for which every term holds. A term without a column finds texts only, so that "4" does not find each number and date. */
export function filterRows<Row>(
  rows: readonly Row[],
  columns: readonly Filterable<Row>[],
  filter: string,
): readonly Row[] {
  const readers = columns.flatMap((column) => {
    const read = valueOf(column);
    return read === null ? [] : [{ id: column.id, read }];
  });
  const terms = parseTerms(
    filter,
    readers.map(({ id }) => id),
  );
  if (terms.length === 0) return rows;
  return rows.filter((row) => {
    const values = readers.map(({ id, read }) => ({ id, value: read(row) }));
    return terms.every(
      (term) =>
        term.negated !==
        values.some(
          ({ id, value }) =>
            (term.column === null ? typeof value === "string" : term.column === id) &&
            term.values.some((wanted) => matches(value, wanted)),
        ),
    );
  });
}

/** The names in a pasted list, each once: separated by spaces, lines, commas or semicolons. */
export function parseNames(text: string): readonly string[] {
  const names = new Map<string, string>();
  for (const name of text.split(/[\s,;"']+/)) if (name !== "") names.set(name.toLowerCase(), name);
  return [...names.values()];
}

/** The rows that have one of the names, and the names that no row has. */
export function findNames<Row>(
  rows: readonly Row[],
  namesOf: (row: Row) => readonly (string | null)[],
  names: readonly string[],
): { readonly rows: readonly Row[]; readonly missing: readonly string[] } {
  const missing = new Map(names.map((name) => [name.toLowerCase(), name]));
  const wanted = new Set(missing.keys());
  const found = rows.filter((row) => {
    const own = namesOf(row).flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
    const hits = own.filter((name) => wanted.has(name));
    for (const name of hits) missing.delete(name);
    return hits.length > 0;
  });
  return { rows: found, missing: [...missing.values()] };
}
