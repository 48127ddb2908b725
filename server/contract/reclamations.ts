// Reclamations of all hosts.
import { z } from "zod";
import { reclamationList, reclamationRow } from "@/server/contract/answers/reclamations";
import { paging, read } from "@/server/contract/define";

export const reclamations = {
  list: read({
    title: "reclamations of one host or of all, newest first",
    right: "host.read",
    input: z.strictObject({
      host: z.string().min(1).max(128).optional(),
      status: z.enum(["open", "ended", "all"]).default("all"),
      ...paging(200, 50),
    }),
    output: reclamationList,
  }),
  find: read({
    title: "one reclamation by its number, such as R-42",
    right: "host.read",
    input: z.strictObject({ number: z.string().min(1).max(24) }),
    output: reclamationRow,
  }),
};
