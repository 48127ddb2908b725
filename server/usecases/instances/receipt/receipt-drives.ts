// The drives that a tenant's machine had, each with its record. Drives that were added later are not disclosed to the tenant.
import { z } from "zod";
import type { ReceiptDrive } from "@/server/contract/instances/instances-answers";
import { progressBody } from "@/server/domain/agents/protocol";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { deviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { virtualMedium } from "@/server/domain/cleaning/sanitization/media-rules";
import { knownMembers } from "@/server/domain/stored";
import { formatVerification } from "@/server/usecases/reclamations/device-tries";
import type { readErases } from "@/server/usecases/instances/receipt/read-return";

type Erases = Awaited<ReturnType<typeof readErases>>;
type Result = Erases["results"][number];

/** The parts of the frozen list that a receipt uses. Another release's list may have less. */
const known = z.object({
  serial: z.string(),
  model: z.string().optional(),
  media: z.string().optional(),
  capacityBytes: z.string().optional(),
});
const answered = known.extend({
  disposition: z.object({ kind: z.enum(dispositionKinds), at: z.iso.datetime() }),
});
const frozen = z.object({
  expected: z.array(known).catch([]),
  missing: z.array(known).catch([]),
  answered: z.array(answered).catch([]),
});
const leftOut = z.object({
  excluded: z
    .array(z.object({ serial: z.string(), model: z.string().catch(""), reason: z.string() }))
    .catch([]),
});
const report = knownMembers(deviceResult);
const progressDevices = z.object({ devices: progressBody.shape.devices });

const none = { percent: null, technique: null, level: null, standard: null, techniqueTable: null } as const;
const nothing = { ...none, verification: null, statement: null, at: null } as const;

type Fate = Omit<ReceiptDrive, "serial" | "model" | "media" | "capacityBytes">;

function erased(result: Result): Fate {
  const read = report.safeParse(result.report).data;
  return {
    ...nothing,
    state: "erased",
    technique: result.technique,
    level: result.level,
    standard: result.standard,
    techniqueTable: result.techniqueTable,
    verification: formatVerification(read?.verification, read?.probe) || null,
    at: result.at,
  };
}

/** Media that the site's policy excludes, by model and serial number, without the reason. Omits virtual media of the BMC, which no tenant had. Pure. */
export const leftOutMedia = (devices: unknown): readonly string[] =>
  (leftOut.safeParse(devices).data?.excluded ?? [])
    .filter(({ reason }) => reason !== virtualMedium)
    .map(({ model, serial }) => `${model} ${serial}`.trim());

/**
 * One line per drive that the machine owed, ordered by serial number. A failure is shown as waiting, because the provider must resolve it. Pure.
 * @param voided earlier erases no longer count
 * @param isSettled the debt is settled: a drive without a result now will not get one
 */
export function receiptDrives(
  serials: readonly string[],
  devices: unknown,
  { results, progress }: Erases,
  { voided, isSettled }: { readonly voided: boolean; readonly isSettled: boolean },
): readonly ReceiptDrive[] {
  const list = frozen.safeParse(devices).data ?? { expected: [], missing: [], answered: [] };
  const all = [...list.expected, ...list.missing, ...list.answered];
  const running = progress.flatMap((each) => progressDevices.safeParse(each).data?.devices ?? []);
  const fateOf = (serial: string): Fate => {
    const result = voided ? undefined : results.findLast((each) => each.serial === serial);
    if (result?.verdict === "sanitized") return erased(result);
    const stated = list.answered.find((each) => each.serial === serial)?.disposition;
    if (stated !== undefined)
      return {
        ...nothing,
        state: "stated",
        statement: dispositionTable[stated.kind].words,
        at: new Date(stated.at),
      };
    if (isSettled) return { ...nothing, state: "untreated" };
    const now = running.find((each) => each.serial === serial);
    if (now !== undefined) return { ...nothing, state: "erasing", percent: now.percent };
    return {
      ...nothing,
      state: list.missing.some((each) => each.serial === serial) ? "missing" : "waiting",
    };
  };
  return [...new Set(serials)].sort().map((serial) => {
    const device = all.find((each) => each.serial === serial);
    const result = results.findLast((each) => each.serial === serial);
    return {
      serial,
      model: device?.model ?? result?.model ?? null,
      media: device?.media ?? result?.media ?? null,
      capacityBytes: device?.capacityBytes ?? null,
      ...fateOf(serial),
    };
  });
}
