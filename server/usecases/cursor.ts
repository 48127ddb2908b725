// A place in a list as an opaque string: the key of the last row, bound to its list.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const envelope = z.tuple([z.string()], z.string());

/** The parts of a cursor of this list; undefined: it is none. */
function partsOf(cursor: string, list: string): readonly string[] | undefined {
  if (cursor.length > 1000) return undefined;
  try {
    const [of, ...parts] = envelope.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return of === list ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds since 1970, as a part of a key. */
export const instantPart = z.codec(z.string().regex(/^-?\d{1,15}$/), z.date(), {
  decode: (ms) => new Date(Number(ms)),
  encode: (at) => String(at.getTime()),
});

/** A whole number, as a part of a key. */
export const numberPart = z.codec(z.string().regex(/^\d{1,15}$/), z.number(), {
  decode: Number,
  encode: String,
});

/** How a list is read in pages. */
export interface Pages<Key> {
  /** The key after which the page starts; null: it is the first page. */
  readonly start: (cursor: string | null) => Outcome<Key | null>;
  /** The page and its `nextCursor`. @param rows one more than the page holds, if there are more */
  readonly page: <Row>(
    rows: readonly Row[],
    limit: number,
    keyOf: (row: Row) => Key,
  ) => { readonly page: readonly Row[]; readonly nextCursor: string | null };
  readonly cursorOf: (key: Key) => string;
}

/** The pages of a list. @param name of the list, which its cursors carry @param key of a row: what its rows are ordered by */
export function pagesOf<Key>(name: string, key: z.ZodType<Key, string[]>): Pages<Key> {
  const cursorOf = (of: Key): string =>
    Buffer.from(JSON.stringify([name, ...z.encode(key, of)]), "utf8").toString("base64url");
  return {
    cursorOf,
    start: (cursor) => {
      if (cursor === null) return done(null);
      const { data } = key.safeParse(partsOf(cursor, name));
      return data === undefined
        ? refused("invalid", "The cursor does not belong to this list.", "cursor")
        : done(data);
    },
    page: (rows, limit, keyOf) => {
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { page, nextCursor: last === undefined ? null : cursorOf(keyOf(last)) };
    },
  };
}

const place = z.tuple([instantPart, z.guid()]);
/** Time and id of a row. */
export type Place = z.output<typeof place>;

/** The pages of a list that is ordered by time and id. @param name of the list, which its cursors carry */
export const pagesByTime = (name: string): Pages<Place> => pagesOf(name, place);

/** The condition that a row comes after a place. @param columns time and id of a row, such as `(e.at, e.id)` @param sign `<`: the list is newest first */
export const beyond = (
  columns: RawBuilder<unknown>,
  sign: "<" | ">",
  place: Place | null,
): RawBuilder<unknown> =>
  place === null ? sql`true` : sql`${columns} ${sql.raw(sign)} (${place[0]}::timestamptz, ${place[1]}::uuid)`;
