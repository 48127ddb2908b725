// What a document says of procedures and may not (docs/adr/0102-approvals-and-procedures.md).
import { highestVersion, unversioned } from "@/server/domain/procedures/procedure";
import type { Procedure } from "@/server/domain/procedures/procedure";
import type { SiteDocument } from "@/server/domain/site/document";
import type { DocumentFault, FaultAt } from "@/server/domain/site/parse-document";

/** Records name a procedure by its version, so another text is a version that it never had. `used`: of all policies of the site so far. */
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
