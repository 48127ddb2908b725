// What a document says of procedures and may not (docs/adr/0102-approvals-and-procedures.md).
import { unversioned } from "@/server/domain/procedures/procedure";
import type { SiteDocument } from "@/server/domain/site/document";
import type { DocumentFault, FaultAt } from "@/server/domain/site/parse-document";

/** Records name a procedure by its version, so another text is another version. */
export function procedureFaults(
  before: SiteDocument,
  after: SiteDocument,
  faultAt: FaultAt,
): readonly DocumentFault[] {
  const changed = unversioned(before.policy.procedures, after.policy.procedures);
  if (changed === undefined) return [];
  const index = after.policy.procedures.indexOf(changed);
  return [
    faultAt(
      ["policy", "procedures", String(index)],
      `${changed.name} is not what version ${changed.version} says: raise its version`,
    ),
  ];
}
