// Builds the tenant's receipt of a certificate: smaller, without the provider's internal data. Pure.
import { makerOf } from "@/server/domain/assurance/certificates/device-entry";
import { commonLimits } from "@/server/domain/assurance/certificates/limits";
import { claimOf, gatesOf, skuDrivesOf } from "@/server/domain/assurance/certificates/supported";
import { receiptType, statementType } from "@/server/domain/assurance/certificates/statement";
import type { ReceiptStatement, WholeStatement } from "@/server/domain/assurance/certificates/statement";
import { pick } from "@/server/domain/pick";

/** What a receipt includes of each drive. */
const shown = [
  "serial",
  "model",
  "media",
  "capacityBytes",
  "result",
  "method",
  "technique",
  "standard",
  "techniqueTable",
  "verification",
  "at",
] as const;

/** The receipt for the tenant of the machine; null: no tenant had it. */
export function buildReceipt(
  whole: WholeStatement,
  { id, sha256: of }: { readonly id: string; readonly sha256: string },
): ReceiptStatement | null {
  const { certificate, host, reclamation, devices, limits: said } = whole.predicate;
  const { instanceId, tenantId, endedAt } = reclamation;
  if (instanceId === null || tenantId === null) return null;
  // One of an earlier form is read as today, so that its receipt says no more than it proves.
  const { standing, type } = claimOf(whole);
  return {
    _type: statementType,
    subject: whole.subject,
    predicateType: receiptType,
    predicate: {
      receipt: { id, issuer: certificate.issuer },
      certificate: { id: certificate.id, sha256: of, type, standing },
      machine: { id: host.id, serial: host.serial, skuDrives: skuDrivesOf(whole) },
      instanceId,
      tenantId,
      endedAt,
      devices: devices.map((device) => ({ ...pick(device, shown), manufacturer: makerOf(device) })),
      gates: gatesOf(whole),
      limits: said.slice(0, commonLimits),
    },
  };
}
