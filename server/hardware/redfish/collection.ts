// A Redfish collection: the paths of its members, over all its pages.
import { z } from "zod";
import type { RedfishClient } from "./client";
import { contentError, type Failed } from "./errors";
import { links, pathOf, text } from "./references";
import type { Call } from "./sender";

const collection = z.object({ Members: links, "Members@odata.nextLink": text });

/** Bounds against a BMC whose pages or members never end. */
const maxPages = 32;
const maxMembers = 2_000;

export type CollectionRead = { readonly ok: true; readonly members: readonly string[] } | Failed;

/** The members' paths in the BMC's order, each once. */
export async function readCollection(client: RedfishClient, call: Call, reference: string): Promise<CollectionRead> {
  const members = new Set<string>();
  const visited = new Set<string>();
  let path = pathOf(reference);
  while (path !== null && visited.size < maxPages && !visited.has(path)) {
    visited.add(path);
    const replied = await client.get(call, path);
    if (!replied.ok) return replied;
    const parsed = collection.safeParse(replied.answer.body);
    if (!parsed.success) return contentError({ method: "GET", path, purpose: "read" }, replied.answer.status, "its content is not a collection");
    for (const member of parsed.data.Members) {
      const memberPath = pathOf(member);
      if (memberPath !== null) members.add(memberPath);
    }
    if (members.size > maxMembers) return contentError({ method: "GET", path, purpose: "read" }, replied.answer.status, `it has more than ${maxMembers} members`);
    path = parsed.data["Members@odata.nextLink"] == null ? null : pathOf(parsed.data["Members@odata.nextLink"]);
  }
  return { ok: true, members: [...members] };
}
