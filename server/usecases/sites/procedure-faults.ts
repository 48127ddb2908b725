// Faults in the procedures of a document (docs/adr/0102-approvals-and-procedures.md).
import { highestVersion, unversioned } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { DocumentFault, FaultAt } from "@/server/domain/sites/parse-document";

/** Records refer to a procedure by version, so a changed text needs a version that it never had. `used`: from all policies of the site so far. */
export function procedureFaults(
  used: readonly Procedure[],
  after: SiteDocument,
  faultAt: FaultAt,
): readonly DocumentFault[] {
  const changed = unversioned(used, after.policy.procedures);
  if (changed === undefined) return [];
  const index = after.policy.procedures.indexOf(changed);
  return [
    faultAt(
      ["policy", "procedures", String(index)],
      `${changed.name} is not what version ${changed.version} says: raise its version above ${highestVersion(used, changed.name)}`,
    ),
  ];
}
