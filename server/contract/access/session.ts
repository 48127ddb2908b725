// The signed-in person: identity, pages and permissions.
import { z } from "zod";
import { roles } from "@/server/domain/access/roles";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { pageNames } from "@/server/domain/console/routes";
import { list, nothing, read, record } from "@/server/contract/define";

const leftOut = record({
  /** The first of them: sites, SKUs, hosts. `steps` is empty if the whole automated cleaning is off. */
  places: list(
    record({
      scope: z.enum(overrideScopes),
      id: z.string(),
      name: z.string().nullable(),
      steps: list(z.string()),
    }),
  ),
  total: z.number(),
});
export type LeftOut = z.infer<typeof leftOut>;

const me = record({
  personId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  roleWords: z.string(),
  /** Null for the provider's people. */
  tenant: record({ org: z.string(), name: z.string() }).nullable(),
  /** The pages that this person may open, in order. */
  pages: list(z.enum(pageNames)),
  /** Whether any act on hosts is allowed: without it the console shows no buttons there. */
  mayWriteHosts: z.boolean(),
  mayCreateInstances: z.boolean(),
  mayReleaseInstances: z.boolean(),
  /** Such as "Simulated fleet, ×60"; null if no site has one. */
  siteLabel: z.string().nullable(),
  demo: z.boolean(),
  /** Whether the console has a demo menu for this person (docs/demo.md). */
  demoDesk: z.boolean(),
  /** Why no host is allocated or worked on, such as after a database restore; null if they are. */
  allocationStopped: z.string().nullable(),
  /** How this person may end that: as after a restore, or by stating that the database is the current one. */
  stopActs: list(z.enum(["afterRestore", "isCurrent"])),
  /** Where cleaning, or a step that erases, is left out; empty for tenants. */
  leftOut,
  version: z.string(),
  /** Position of the live feed at the time of this answer: `/api/live?after=` continues from here. */
  feedPosition: z.string(),
});
export type Me = z.infer<typeof me>;

export const session = {
  me: read({ title: "who is signed in, and what they may do", right: null, input: nothing, output: me }),
};
