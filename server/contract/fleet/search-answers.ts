// What the command palette finds.
import { z } from "zod";
import { list, record, state, tone } from "@/server/contract/define";

export const searchAnswer = record({
  hosts: list(
    record({
      id: z.string(),
      name: z.string(),
      state,
      tone,
      words: z.string(),
    }),
  ),
  drives: list(
    record({
      id: z.string(),
      serial: z.string(),
      words: z.string(),
    }),
  ),
  instances: list(
    record({
      id: z.string(),
      name: z.string(),
      hostName: z.string().nullable(),
      words: z.string(),
    }),
  ),
  reclamations: list(
    record({
      id: z.string(),
      /** `R-42` */
      number: z.string(),
      hostName: z.string(),
      words: z.string(),
    }),
  ),
  tenants: list(
    record({
      id: z.string(),
      name: z.string(),
      words: z.string(),
      /** Filter for its hosts on the hosts page. */
      filter: z.string(),
    }),
  ),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
