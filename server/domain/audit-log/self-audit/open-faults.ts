// Which faults of a check are not acknowledged yet. Acknowledged faults do not alert again; new ones do. Pure.
import { z } from "zod";
import type { KindCount } from "@/server/domain/audit-log/self-audit/findings";
import type { NamedFault, SelfAuditFacts } from "@/server/domain/audit-log/self-audit/self-audit";

export const acknowledgeAction = "auditLog.acknowledge";

/** Facts of an acknowledgement's event. */
export const acknowledgement = z.object({
  check: z.string(),
  keys: z.array(z.string()),
  /** Kind and digest of all faults of the kind, including those counted but not named. */
  kinds: z.array(z.string()).default([]),
  reason: z.string(),
});

export interface Acknowledgement extends z.infer<typeof acknowledgement> {
  readonly at: Date;
  readonly by: string | null;
}

export interface FaultNow extends NamedFault {
  readonly acknowledged: { readonly at: Date; readonly by: string | null; readonly reason: string } | null;
}

export interface OpenFaults {
  readonly openKinds: readonly { readonly kind: string; readonly count: number; readonly open: number }[];
  /** How many are not acknowledged. */
  readonly open: number;
  readonly named: readonly FaultNow[];
}

export const wholeKind = (kind: string, digest: string): string => `${kind}:${digest}`;

/** @param acknowledgements the newest last */
export function openFaults(
  { kinds, named }: Pick<SelfAuditFacts, "kinds" | "named">,
  acknowledgements: readonly Acknowledgement[],
): OpenFaults {
  const byKey = new Map<string, Acknowledgement>();
  const byKind = new Map<string, Acknowledgement>();
  for (const each of acknowledgements) {
    for (const key of each.keys) byKey.set(key, each);
    for (const kind of each.kinds) byKind.set(kind, each);
  }
  const wholeOf = ({ kind, digest, complete }: KindCount): Acknowledgement | undefined => {
    // safety: self-audit: a kind that is not counted to its end is never acknowledged as a whole
    if (!complete) return undefined;
    return byKind.get(wholeKind(kind, digest));
  };
  const ofKind = new Map(kinds.map((each) => [each.kind, wholeOf(each)]));
  const now = named.map((fault): FaultNow => {
    const found = byKey.get(fault.key) ?? ofKind.get(fault.kind) ?? null;
    return { ...fault, acknowledged: found && { at: found.at, by: found.by, reason: found.reason } };
  });
  const openOf = ({ kind, count, unnamedKnown }: KindCount): number => {
    const known =
      unnamedKnown + now.filter((fault) => fault.kind === kind && fault.acknowledged !== null).length;
    // safety: self-audit: a fault that nobody acknowledged stays open (never)
    return ofKind.get(kind) === undefined ? Math.max(0, count - known) : 0;
  };
  const openKinds = kinds.map((each) => ({ kind: each.kind, count: each.count, open: openOf(each) }));
  return { open: openKinds.reduce((total, { open }) => total + open, 0), openKinds, named: now };
}
