// A Redfish collection: the paths of its members, over all pages. A truncated list is an error, never a shorter list.
import { z } from "zod";
import type { Reads } from "@/server/hardware/redfish/client/client";
import { contentError, failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { link, pathOf } from "@/server/hardware/redfish/resources/references";
import type { Call } from "@/server/hardware/redfish/client/sender";

/** `Members` is required in every collection, and its count covers all pages (DSP0266, 7.10 and 9.7). BlueField has null for an empty one. */
const collection = z.object({
  Members: z.array(z.unknown()).nullish(),
  "Members@odata.count": z.number().nullish(),
  "Members@odata.nextLink": z.string().nullish(),
});

/** Limits against a BMC whose pages or members never end. */
const maxPages = 32;
const maxMembers = 2_000;

export type CollectionRead =
  | { readonly ok: true; readonly members: readonly string[] }
  /** `untold`: it answers without members, and counts none or not, as DGX H100 does for drives that it has. */
  | (Failed & { readonly untold?: true });

/**
 * The members' paths in the BMC's order, without duplicates. `expanded` is called with each page of a list that was requested with its
 * members' content; such a list must report its number of members.
 */
export async function readCollection(
  client: Reads,
  call: Call,
  reference: string,
  expanded?: (page: unknown) => void,
): Promise<CollectionRead> {
  const members: string[] = [];
  const visited = new Set<string>();
  let path = pathOf(reference) ?? reference;
  for (;;) {
    visited.add(path);
    const replied = await client.get(call, path);
    // A missing page that the previous one links to means a truncated list, not a part that the BMC does not offer.
    if (!replied.ok)
      return visited.size === 1
        ? replied
        : failure(replied.error.kind === "unreachable" ? "unreachable" : "failed", replied.error.message);
    const broken = (problem: string): Failed =>
      contentError({ method: "GET", path, purpose: "read" }, replied.answer.status, problem);
    const parsed = collection.safeParse(replied.answer.body);
    if (!parsed.success) return broken("its content is not a collection");
    const { Members, "Members@odata.count": count, "Members@odata.nextLink": nextLink } = parsed.data;
    if (Members === undefined || (Members === null && count !== 0)) {
      const failed = broken("its content is not a collection");
      return (count ?? 0) === 0 && nextLink == null && visited.size === 1
        ? { ...failed, untold: true }
        : failed;
    }
    const listed = pathsOf(Members ?? []);
    if (listed === null) return broken("one of its members is not a link");
    members.push(...listed);
    expanded?.(replied.answer.body);
    if (members.length > maxMembers) return broken(`it has more than ${maxMembers} members`);
    if (nextLink == null) {
      // safety: bmc: an expanded collection that does not count
      if (expanded !== undefined && count == null) return broken("it does not report its number of members");
      // safety: bmc: a collection with fewer members than it counts
      if (count != null && count !== members.length)
        return broken(`it reports ${count} members but lists ${members.length}`);
      return { ok: true, members: [...new Set(members)] };
    }
    const next = pathOf(nextLink);
    if (next === null) return broken("the link to its next page leads nowhere");
    if (visited.has(next)) return broken("the link to its next page leads back to an earlier one");
    if (visited.size >= maxPages) return broken(`it has more than ${maxPages} pages`);
    path = next;
  }
}

/** The paths of links, in order; null if an item is not a link. */
export function pathsOf(items: readonly unknown[]): readonly string[] | null {
  const paths = items.map((item) => {
    const parsed = link.safeParse(item);
    return parsed.success ? pathOf(parsed.data["@odata.id"]) : null;
  });
  return paths.every((path) => path !== null) ? paths : null;
}
