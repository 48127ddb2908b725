// What a person reads about reclamations of many hosts.
import { z } from "zod";
import { reclamationHead } from "@/server/contract/hosts/hosts-answers";
import { list, record } from "@/server/contract/define";

export const reclamationRow = record({
  ...reclamationHead.unwrap().shape,
  hostId: z.string(),
  /** The serial number of a host that is gone. */
  hostName: z.string(),
});
export type ReclamationRow = z.infer<typeof reclamationRow>;

export const reclamationList = record({ rows: list(reclamationRow), nextCursor: z.string().nullable() });
export type ReclamationList = z.infer<typeof reclamationList>;
