// Who may take a host for repair outside of Reclaim, and when (docs/adr/0094-one-owner.md).
import { z } from "zod";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { State, StoredState } from "@/server/domain/lifecycle/states";

/** Facts that decide whether a host can be handed to a repair system. */
export interface LeaseFacts {
  readonly state: StoredState;
  /** Name of the repair system that has it; null: none. */
  readonly leasedTo: string | null;
  readonly instanceOpen: boolean;
  /** It is a machine and not fake. */
  readonly machine: boolean;
  readonly maintenance: boolean;
  readonly allocatable: boolean;
  /** An alert says that the provider is working on it. */
  readonly atWork: boolean;
  readonly erasing: boolean;
  /** A controller is working on it, a request has not been read yet, or a power action is being followed up. */
  readonly busy: boolean;
  /** It owes a sanitization. */
  readonly owes: boolean;
}

/** Who requests the lease: the system itself with its token, or a person who hands the host over. */
export type Taker =
  | { readonly kind: "system" }
  /** `mayHoldData`: the person confirms that the recipient may get access to the data on its drives. */
  | { readonly kind: "person"; readonly mayHoldData: boolean };

/** States in which Reclaim is not working on a host, and its drives are either proven clean or of unknown content. */
const leasable: ReadonlySet<StoredState> = new Set<State>([
  "Ready",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingRepair",
  "Manageable",
]);

/** Whether the drives of a host may hold a tenant's data. */
export const mayHoldData = ({ state, owes }: Pick<LeaseFacts, "state" | "owes">): boolean =>
  state === "Manageable" || owes;

const tooBusy = "Reclaim is working on the host. Try again in a few seconds.";

/** Hosts that are never leased, whoever asks. */
function neverLeased(facts: LeaseFacts): string | null {
  // safety: custody: a host without a machine
  if (!facts.machine) return "There is no machine behind this host to repair.";
  // safety: custody: a host with an instance on it
  if (facts.instanceOpen) return "An instance is on the host. It can be leased once the instance has ended.";
  // safety: custody: only where nothing of ours goes on
  if (!leasable.has(facts.state))
    return isFailed(facts.state)
      ? "The host has failed, and its reclamation may continue. An operator must move it to Manageable before handing it over."
      : `A host in ${facts.state} cannot be leased; it can in Ready, AwaitingHealth, AwaitingRepair and Manageable.`;
  // safety: custody: a drive that may be erasing
  if (facts.erasing) return "An erase that cannot be stopped may still be running on the host.";
  // safety: custody: what is under way ends first (never)
  return facts.busy ? tooBusy : null;
}

/** Hosts that a system may not take without a person. */
function notBySystem(facts: LeaseFacts): string | null {
  // safety: custody: drives that may hold data only by a person
  if (mayHoldData(facts))
    return "The drives of the host may hold a tenant's data: only an operator can hand it over.";
  // safety: custody: a host that can be allocated
  if (facts.allocatable)
    return "The host can be allocated. Report an alert that prevents allocation first, or ask an operator.";
  // safety: custody: not while the provider works on it
  if (facts.maintenance || facts.atWork)
    return "The provider is working on the host. An operator can hand it over.";
  return null;
}

/** Why the host cannot be leased now; null: it can. Only people are told who else has it. Pure. */
export function leaseRefusal(facts: LeaseFacts, by: Taker): string | null {
  // safety: custody: one holder
  if (facts.leasedTo !== null)
    return by.kind === "person"
      ? `The repair system ${facts.leasedTo} has the host.`
      : "Somebody else has the host.";
  const never = neverLeased(facts);
  if (never !== null) return never;
  if (by.kind === "system") return notBySystem(facts);
  // safety: custody: a person says that drives may hold data (never)
  return mayHoldData(facts) && !by.mayHoldData
    ? "The drives of the host may hold a tenant's data. Confirm that the repair system may have access to it."
    : null;
}

/** The name of a repair system. */
export const systemName = z
  .string()
  .trim()
  .regex(/^[a-zA-Z0-9][\w.-]{0,63}$/, "must be letters, digits, dots, hyphens and underscores, up to 64");

const shown = /^[^\p{Cc}\p{Cs}]*$/u;
const noControl = "must not have control characters";

/** A reference of the repair system, such as its ticket number. */
export const ticketText = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(128, "at most 128 characters")
  .regex(shown, noControl);

/** Why a system takes a host, or how the repair is progressing. */
export const leaseText = z
  .string()
  .trim()
  .min(1, "say why")
  .max(500, "at most 500 characters")
  .regex(shown, noControl);

/** `overdue`: past the time at which its holder planned to be done. It stays until somebody ends it. */
export const leaseStates = ["open", "overdue", "ended"] as const;
export type LeaseState = (typeof leaseStates)[number];

/** Pure. @param nowMs by the database's clock */
export function leaseState(
  { until, endedAt }: { readonly until: Date | null; readonly endedAt: Date | null },
  nowMs: number,
): LeaseState {
  if (endedAt !== null) return "ended";
  return until !== null && until.getTime() < nowMs ? "overdue" : "open";
}

/** Why people may not act on the host, and what they can do. */
export const leasedText = (system: string): string =>
  `the repair system ${system} has the host: wait until it returns it, or have a provider admin break its lease`;

/** How a lease ended: its holder returned the host, or somebody broke it. */
export const leaseEnds = ["returned", "broken"] as const;
