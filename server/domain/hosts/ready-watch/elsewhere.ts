// Drives of a host that belong to another one by the records: owed by it, or in the hands of its tenant (docs/adr/0121-ready-lasts.md).
import { z } from "zod";

export const driveElsewhere = z
  .object({
    serial: z.string(),
    /** `owed`: a debt of another chassis names it, and this host has not erased it since. `held`: another host has it, which a tenant has. */
    why: z.enum(["owed", "held"]),
    /** The chassis serial of a debt, or the name of a host. */
    host: z.string(),
  })
  .readonly();
export type DriveElsewhere = z.infer<typeof driveElsewhere>;

/** Which drives, and where each belongs. Pure. */
export const elsewhereText = (drives: readonly DriveElsewhere[]): string =>
  drives
    .map(({ serial, why, host }) =>
      why === "owed"
        ? `drive ${serial} is owed a sanitization by the host with serial ${host}`
        : `drive ${serial} belongs to host ${host}, which a tenant has`,
    )
    .join("; ");

/** What to do, for the operator of this host. Pure. */
export const elsewhereExit = (drives: readonly DriveElsewhere[]): string =>
  drives.some(({ why }) => why === "held")
    ? "put it back into that host or remove it, or let that tenant's instance end; then restart the plan, which erases the drives of this host again"
    : "restart the plan, which erases the drives of this host again, or put it back into that host or remove it";
