// What the console knows about the person who looks at it.
import type { Role } from "@/server/domain/access/roles";

export type PageName = "fleet" | "hosts" | "instances" | "cleaning";

export interface Me {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly roleWords: string;
  /** Null for the provider's people. */
  readonly tenant: { readonly org: string; readonly name: string } | null;
  /** The pages that this person may open, in order. */
  readonly pages: readonly PageName[];
  /** Whether any act on hosts is allowed: without it the console shows no buttons there. */
  readonly mayWriteHosts: boolean;
  readonly mayReleaseInstances: boolean;
  /** Such as "Simulated fleet, ×60"; null when no site has one. */
  readonly siteLabel: string | null;
  readonly demo: boolean;
  /** Why no host is allocated and none is worked on, such as a restored database; null: they are. */
  readonly allocationStopped: string | null;
  readonly version: string;
  /** Position of the live feed as of this answer: `/api/live?after=` goes on from here. */
  readonly feedPosition: string;
}
