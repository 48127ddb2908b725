// The decommission of a host as its page shows it.
import { leftoverKey } from "@/server/domain/hosts/decommission/leftovers";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import { leavingContext } from "@/server/domain/lifecycle/context";
import { isObject } from "@/server/domain/json";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";
import type { LeftoverLine } from "@/server/contract/hosts/leftovers";

export const leftoverLines = (leftovers: readonly Leftover[]): readonly LeftoverLine[] =>
  leftovers.map((row) => ({ key: leftoverKey(row), ...row }));

/** Null if the host is not being decommissioned. Throws on data that this version does not understand. */
export function leavingOf(context: unknown): HostDetail["leaving"] {
  const stored = isObject(context) ? context["leaving"] : undefined;
  if (stored === undefined) return null;
  const { by, reason, at, keepAccount, leftovers } = leavingContext.parse(stored);
  return {
    byName: by.name,
    reason,
    at: new Date(at),
    keepAccount,
    leftovers: leftoverLines(leftovers),
  };
}
