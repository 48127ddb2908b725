// The views of the hosts list: fixed ones, those that a person saved, and what their filters may name.
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

/** A view that a person saved: what the address of the hosts page holds, under a name. */
export const savedView = record({
  id: z.string(),
  name: z.string(),
  filter: z.string(),
  sort: z.string().nullable(),
  hide: list(z.string()),
  /** `cause`: hosts that failed for the same cause stand together. */
  group: z.enum(["cause"]).nullable(),
});
export type SavedView = z.infer<typeof savedView>;

/** What a filter may name and only the server knows. */
export const filterValues = record({
  site: list(z.string()),
  rack: list(z.string()),
  segment: list(z.string()),
  domain: list(z.string()),
  sku: list(z.string()),
  tenant: list(z.string()),
  image: list(z.string()),
  /** Ids of alerts, and classifications. */
  alert: list(z.string()),
});
export type FilterValues = z.infer<typeof filterValues>;
