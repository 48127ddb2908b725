// After the restore of a backup.
import { z } from "zod";
import { act, record } from "@/server/contract/define";

const input = z.strictObject({ reason: z.string().trim().min(3, "at least 3 characters").max(500) });

export const database = {
  afterRestore: act({
    title: "after a restore: every host owes its drives, and a new epoch begins",
    right: "database.afterRestore",
    action: "database.afterRestore",
    input,
    output: record({ epoch: z.number(), hosts: z.number() }),
  }),
  isCurrent: act({
    title: "states that the database is the newest there is, though its high-water mark says otherwise",
    right: "database.afterRestore",
    action: "database.isCurrent",
    input,
    output: record({ epoch: z.number() }),
  }),
};
