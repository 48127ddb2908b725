// The palette's search.
import { z } from "zod";
import { searchAnswer } from "@/server/contract/answers/search";
import { read } from "@/server/contract/define";

export const search = {
  all: read({
    title: "hosts and instances by a part of their name, serial number or id",
    right: "search",
    input: z.strictObject({ text: z.string().max(200) }),
    output: searchAnswer,
  }),
};
