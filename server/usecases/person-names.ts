// Names of people by id, for lists that say who did something.
import type { Reader } from "@/server/db/prisma";

/** A single query; people who are gone, and nulls, are omitted. */
export async function personNames(
  reader: Reader,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))];
  if (wanted.length === 0) return new Map();
  return new Map(
    (await reader.person.findMany({ where: { id: { in: wanted } }, select: { id: true, name: true } })).map(
      ({ id, name }) => [id, name],
    ),
  );
}
