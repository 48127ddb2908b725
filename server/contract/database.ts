// After the restore of a backup.
import { z } from "zod";
import { act, record } from "@/server/contract/define";

const input = z.strictObject({ reason: z.string().trim().min(3, "at least 3 characters").max(500) });

export const database = {
  afterRestore: act({
    title: "after a restore: every host gets a debt for its drives, and a new epoch begins",
    right: "database.afterRestore",
    action: "database.afterRestore",
    input,
    output: record({ epoch: z.number(), hosts: z.number() }),
  }),
  isCurrent: act({
    title: "confirms that the database is current, although its high-water mark says otherwise",
    right: "database.afterRestore",
    action: "database.isCurrent",
    input,
    output: record({ epoch: z.number() }),
  }),
};
