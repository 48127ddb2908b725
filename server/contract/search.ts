// The palette's search.
import { z } from "zod";
import { searchAnswer } from "@/server/contract/answers/search";
import { read } from "@/server/contract/define";

export const search = {
  all: read({
    title:
      "hosts by a part of their name or serial number or by a drive's, drives, instances, reclamations by number, tenants",
    right: "search",
    input: z.strictObject({ text: z.string().max(200) }),
    output: searchAnswer,
  }),
};
