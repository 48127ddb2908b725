// The views of the hosts list: the fixed ones, those that a person saved, and the values that filters may name.
import { z } from "zod";
import { list, record } from "@/server/contract/define";

export const hostViewNames = [
  "needPerson",
  "comingBack",
  "overLimit",
  "overdue",
  "ready",
  "inUse",
  "all",
] as const;
export type HostViewName = (typeof hostViewNames)[number];

export const hostView = record({
  name: z.enum(hostViewNames),
  words: z.string(),
  filter: z.string(),
  count: z.number(),
});
export type HostView = z.infer<typeof hostView>;

/** A view that a person saved: the query of the hosts page under a name. */
export const savedView = record({
  id: z.string(),
  name: z.string(),
  filter: z.string(),
  sort: z.string().nullable(),
  hide: list(z.string()),
  /** With `cause`, hosts that failed for the same cause are grouped. */
  group: z.enum(["cause"]).nullable(),
});
export type SavedView = z.infer<typeof savedView>;

/** Filter values that only the server knows. */
export const filterValues = record({
  site: list(z.string()),
  rack: list(z.string()),
  segment: list(z.string()),
  domain: list(z.string()),
  sku: list(z.string()),
  tenant: list(z.string()),
  image: list(z.string()),
  /** Ids and classifications of alerts. */
  alert: list(z.string()),
});
export type FilterValues = z.infer<typeof filterValues>;
