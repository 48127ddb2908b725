// What the console reads about failed hosts, grouped by what they have in common.
import type { FailureCause } from "@/server/domain/lifecycle/states";

export interface FailureGroup {
  /** Names the group in `failures.note`. */
  readonly digest: string;
  /** What all messages of the group have in common; `*` and `#` stand for what differs from host to host. */
  readonly pattern: string;
  /** The newest message as it is. */
  readonly message: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly causes: readonly { readonly cause: FailureCause; readonly count: number }[];
  readonly models: readonly { readonly model: string; readonly count: number }[];
  readonly skus: readonly { readonly sku: string; readonly count: number }[];
  readonly sites: readonly string[];
  /** The hosts that failed last, at most 10. */
  readonly newest: readonly { readonly hostId: string; readonly name: string; readonly message: string; readonly at: Date }[];
  /** A filter of the hosts page that finds these very hosts, for as long as they fail with this message. */
  readonly filter: string;
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly note: string;
  readonly notedAt: Date | null;
  readonly snoozedUntil: Date | null;
  /** In force: it is before `snoozedUntil`, and the group has not grown since. */
  readonly snoozed: boolean;
}

export interface FailureGroups {
  readonly hosts: number;
  /** Most hosts first; snoozed ones last. */
  readonly groups: readonly FailureGroup[];
  /** Who may own a group. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly mayNote: boolean;
}
