// Reclamations of all hosts.
import { z } from "zod";
import { reclamationList, reclamationRow } from "@/server/contract/reclamations/reclamations-answers";
import { moment, paging, read } from "@/server/contract/define";
import { standings } from "@/server/domain/assurance/standing";

const named = z.string().trim().min(1).max(128);

export const reclamations = {
  list: read({
    title: "reclamations of one host or of all, newest first",
    right: "host.read",
    input: z.strictObject({
      host: z.string().min(1).max(128).optional(),
      status: z.enum(["open", "ended", "all"]).default("all"),
      /** What an ended one proved. */
      standing: z.enum(standings).optional(),
      /** The organization, name or id of the tenant that had the host. */
      tenant: named.optional(),
      /** By name, also of hosts that have left. */
      site: named.optional(),
      sku: named.optional(),
      /** When it began. */
      since: moment.optional(),
      until: moment.optional(),
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
