// What the command palette finds.
import { z } from "zod";
import { added, list, record, state, tone } from "@/server/contract/define";

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
  /** Acts that the caller may do, by their words and the name of a thing. Each path opens the act's dialog and does nothing yet. */
  acts: added(
    list(
      record({
        id: z.string(),
        words: z.string(),
        /** The thing that it is done to; null if none was typed. */
        on: z.string().nullable(),
        /** Why it is not possible now; null: it is. */
        refused: z.string().nullable(),
        path: z.string(),
        /** The same on the command line, after `reclaim`; null: there is none for what was typed. */
        command: z.string().nullable(),
      }),
    ),
  ),
  /** Lists of hosts, by what they have in common. */
  lists: added(list(record({ words: z.string(), hosts: z.number(), filter: z.string() }))),
  /** Pages that the caller may open, by what can be read or done there; then the docs and the words of the glossary. */
  places: added(list(record({ path: z.string(), words: z.string(), about: z.string() }))),
  /** The docs could not be read, so `places` has none of them. */
  helpUnread: added(z.boolean()),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
export type FoundAct = NonNullable<SearchAnswer["acts"]>[number];
export type FoundList = NonNullable<SearchAnswer["lists"]>[number];
export type FoundPlace = NonNullable<SearchAnswer["places"]>[number];
