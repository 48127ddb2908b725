// After the restore of a backup.
import { z } from "zod";
import { act, record } from "@/server/contract/define";

const input = z.strictObject({ reason: z.string().trim().min(3, "at least 3 characters").max(500) });

export const database = {
  afterRestore: act({
    title:
      "for use after a backup was restored: gives every host a debt for its drives, and begins a new epoch",
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
