// The search of the command palette.
import { z } from "zod";
import { searchAnswer } from "@/server/contract/fleet/search-answers";
import { read } from "@/server/contract/define";

export const search = {
  all: read({
    title:
      "searches hosts (by part of name or serial, or by a drive), drives, instances, reclamations by number, and tenants; acts, lists of hosts and pages by their words",
    right: "search",
    input: z.strictObject({ text: z.string().max(200) }),
    output: searchAnswer,
  }),
};
