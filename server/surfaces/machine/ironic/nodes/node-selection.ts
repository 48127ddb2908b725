// Which fields an answer has, and how its rows are written: compiled once per version and list of fields.
import type { NodeRow, Part } from "@/server/usecases/hosts/nodes/reading/node-columns";
import {
  fieldsByName,
  listFields,
  nodeFields,
  type NodeField,
  type Writer,
} from "@/server/surfaces/machine/ironic/nodes/node-fields";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Query } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface Selection {
  readonly parts: ReadonlySet<Part>;
  /** The JSON text of one node. */
  readonly write: (row: NodeRow) => string;
}

/** `list` and `all` as the version defines them, or the requested names. */
export type FieldSelection = "list" | "all" | readonly string[];

const made = new Map<string, Selection>();
const maxMade = 500;

/** Constant parts are joined once, so that a row costs only its own values. */
function compile(fields: readonly NodeField[], version: Microversion, baseUrl: string): Selection["write"] {
  const pieces: Writer[] = [];
  let fixed = "{";
  fields.forEach((field, index) => {
    fixed += `${index === 0 ? "" : ","}"${field.name}":`;
    const writer = field.writer({ baseUrl, version });
    if (typeof writer === "string") {
      fixed += writer;
      return;
    }
    pieces.push(fixed, writer);
    fixed = "";
  });
  pieces.push(`${fixed}}`);
  return (row) => {
    let text = "";
    for (const piece of pieces) text += typeof piece === "string" ? piece : piece(row);
    return text;
  };
}

export function selectFields(wanted: FieldSelection, version: Microversion, baseUrl: string): Selection {
  const key = `${baseUrl} ${version} ${typeof wanted === "string" ? wanted : `= ${wanted.join()}`}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const named =
    wanted === "list"
      ? listFields.flatMap((name) => fieldsByName.get(name) ?? [])
      : wanted === "all"
        ? nodeFields
        : wanted.flatMap((name) => fieldsByName.get(name) ?? []);
  const fields = named.filter(({ since }) => since <= version);
  const selection = {
    parts: new Set<Part>(["list", ...fields.map(({ part }) => part)]),
    write: compile(fields, version, baseUrl),
  };
  if (made.size >= maxMade) made.clear();
  made.set(key, selection);
  return selection;
}

/** The version that introduced the argument `fields`. */
const subsetsSince: Microversion = 8;

/** The names in `fields`, without duplicates; null if it was not given. Throws 400 for an unknown field, and 406 for one that the version does not have. */
export function readFields(query: Query, version: Microversion): readonly string[] | null {
  const given = query.get("fields");
  if (given === undefined) return null;
  if (version < subsetsSince)
    throw fault(
      406,
      `Request not acceptable. The minimal required API version should be 1.${subsetsSince}, because of the argument fields.`,
    );
  const names = [...new Set(given.split(",").map((name) => name.trim()))];
  const unknown = names.filter((name) => !fieldsByName.has(name));
  if (unknown.length > 0) throw fault(400, `Field(s) "${unknown.join(", ").slice(0, 200)}" are not valid.`);
  for (const name of names) demandField(name, version);
  return names;
}

/** Throws 406 for a field that is newer than the version. */
export function demandField(name: string, version: Microversion): void {
  const since = fieldsByName.get(name)?.since ?? 1;
  if (version < since)
    throw fault(
      406,
      `Request not acceptable. The minimal required API version should be 1.${since}, because of the field ${name}.`,
    );
}
