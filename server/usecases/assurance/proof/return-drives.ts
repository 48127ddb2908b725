// The drives of a return in one shape, from a statement, from the records, or from a tenant's receipt.
import { sql } from "kysely";
import type { ReturnDrive } from "@/server/contract/assurance/proof";
import type { ReceiptDrive } from "@/server/contract/instances/instances-answers";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { DeviceEntry } from "@/server/domain/assurance/certificates/device-entry";

type StatedDevice = Pick<
  DeviceEntry,
  "serial" | "model" | "result" | "technique" | "method" | "standard" | "verification" | "at"
> &
  Partial<Pick<DeviceEntry, "slot">>;

function readBackText(verification: DeviceEntry["verification"]): string | null {
  if (verification === null) return null;
  const { result, mismatches, samples } = verification;
  return result === "impossible"
    ? "could not be read back"
    : `${mismatches.toLocaleString("en")} of ${samples.toLocaleString("en")} samples as before`;
}

const results = { sanitized: "erased", stated: "stated", "not sanitized": "notErased" } as const;

/** Drives of the frozen list that nobody found. Pure. */
export const missingDrives = (
  missing: readonly { readonly serial: string; readonly model: string }[],
): readonly ReturnDrive[] =>
  missing.map(({ serial, model }) => ({
    ...{ id: null, serial, model, slot: null, result: "missing" as const },
    ...{ technique: null, level: null, standard: null, readBack: null, at: null },
  }));

/** Pure. */
export const drivesOfStatement = (
  devices: readonly StatedDevice[],
  missing: readonly { readonly serial: string; readonly model: string }[],
): readonly ReturnDrive[] => [
  ...devices.map(({ serial, model, slot = null, result, technique, method, standard, verification, at }) => ({
    ...{ id: null, serial, model, slot, technique, standard },
    result: results[result],
    level: method,
    readBack: readBackText(verification),
    at: at === null ? null : new Date(at),
  })),
  ...missingDrives(missing),
];

const states = {
  erased: "erased",
  stated: "stated",
  missing: "missing",
  erasing: "notErased",
  waiting: "notErased",
  untreated: "notErased",
} as const satisfies Record<ReceiptDrive["state"], ReturnDrive["result"]>;

/** Pure. */
export const drivesOfReceipt = (drives: readonly ReceiptDrive[]): readonly ReturnDrive[] =>
  drives.map(({ serial, model, state, technique, level, standard, verification, at }) => ({
    ...{ id: null, serial, model: model ?? "", slot: null, result: states[state] },
    ...{ technique, level, standard, readBack: verification, at },
  }));

/** With the ids by which the provider finds them. */
export async function withIds(
  database: Database,
  drives: readonly ReturnDrive[],
): Promise<readonly ReturnDrive[]> {
  const rows = await queryRows(
    database,
    sql<{ id: string; serial: string; model: string }>`
    SELECT d.id::text, d.serial, d.model FROM drive d WHERE d.serial = ANY(${drives.map(({ serial }) => serial)}::text[])`,
  );
  return drives.map((drive) => ({
    ...drive,
    id: rows.find(({ serial, model }) => serial === drive.serial && model === drive.model)?.id ?? null,
  }));
}
