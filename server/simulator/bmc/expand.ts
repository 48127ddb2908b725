// `$expand` of a simulated BMC: linked resources in place of their links (DSP0266, 7.3.1), as its service root offers it.
import { z } from "zod";
import { fault, json, type BmcAnswer } from "@/server/simulator/bmc/answer";
import { isObject } from "@/server/simulator/bmc/json";

const offer = z.object({
  ProtocolFeaturesSupported: z.object({
    ExpandQuery: z.object({
      NoLinks: z.boolean(),
      ExpandAll: z.boolean(),
      Levels: z.boolean(),
      MaxLevels: z.number().optional(),
    }),
  }),
});

export interface Offered {
  readonly options: readonly string[];
  readonly maxLevels: number;
}

/** What the service root of a tree offers; null if it offers nothing. */
export function offeredBy(root: unknown): Offered | null {
  const query = offer.safeParse(root).data?.ProtocolFeaturesSupported.ExpandQuery;
  if (query === undefined || (!query.NoLinks && !query.ExpandAll)) return null;
  return {
    options: [...(query.NoLinks ? ["."] : []), ...(query.ExpandAll ? ["*"] : [])],
    maxLevels: query.Levels ? (query.MaxLevels ?? 1) : 1,
  };
}

/** Reads a resource in its current state. */
type Read = (path: string) => string | null;

/** An answer, and the text of each resource in it. */
interface Kept {
  readonly read: ReadonlyMap<string, string | null>;
  readonly answer: BmcAnswer;
}

const maxKept = 1_024;

/** Caches answers to requests with `$expand` while everything in them reads the same: assembling one costs much more than reading its parts. */
export class Expansions {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();

  /** `of`: the index of the BMC's host. Null if there is no such resource. */
  answer(of: number, path: string, query: string, offered: Offered | null, read: Read): BmcAnswer | null {
    const key = `${of} ${path}?${query}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && [...kept.read].every(([place, text]) => read(place) === text))
      return kept.answer;
    const texts = new Map<string, string | null>();
    const answer = expanded(path, query, offered, (place) => {
      const text = read(place);
      texts.set(place, text);
      return text;
    });
    this.#kept.delete(key);
    if (answer === null) return null;
    this.#kept.set(key, { read: texts, answer });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return answer;
  }
}

function expanded(path: string, query: string, offered: Offered | null, read: Read): BmcAnswer | null {
  const asked = /^\$expand=([.*])(?:\(\$levels=(\d+)\))?$/.exec(query);
  if (offered === null || asked?.[1] === undefined || !offered.options.includes(asked[1])) {
    return fault(501, "Base.1.8.QueryNotSupported", "Querying is not supported by the implementation.");
  }
  const levels = Number(asked[2] ?? 1);
  if (levels < 1 || levels > offered.maxLevels)
    return fault(
      400,
      "Base.1.8.QueryParameterOutOfRange",
      `The value ${levels} for $levels is out of range.`,
    );
  const text = read(path);
  return text === null
    ? null
    : { status: 200, body: json(withContent(JSON.parse(text), levels, asked[1] === "*", read)) };
}

/** `links`: also expand links inside `Links`. */
function withContent(value: unknown, levels: number, links: boolean, read: Read): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withContent(item, levels, links, read));
  if (!isObject(value)) return value;
  const [only, ...others] = Object.keys(value);
  if (only === "@odata.id" && others.length === 0) {
    const text = read(String(value["@odata.id"]));
    return text === null ? value : withContent(JSON.parse(text), levels - 1, links, read);
  }
  const entries = Object.entries(value).map(
    ([name, inner]) =>
      [
        name,
        !links && (name === "Links" || name.startsWith("@"))
          ? inner
          : withContent(inner, levels, links, read),
      ] as const,
  );
  return Object.fromEntries(entries);
}
