// What documents have in common: texts that count as booleans, and the words for what a schema refuses.
import { z } from "zod";
import { fault, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { booleanOf } from "@/server/surfaces/machine/ironic/wire/query";

/** The client sends booleans in a patch as texts. */
export const flagOf = z.preprocess(
  (value) => (typeof value === "string" ? (booleanOf(value) ?? value) : value),
  z.boolean({ error: ({ input }) => `'${String(input).slice(0, 50)}' is not a boolean` }),
);

/** 400 with the field, in the words that Ironic's clients know. @param what the document is, such as `node` */
export function schemaFault(what: string, error: z.ZodError): IronicFault {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys")
    return fault(
      400,
      `Schema error for ${what}: Additional properties are not allowed (${issue.keys.map((key) => `'${key.slice(0, 100)}'`).join(", ")} ${issue.keys.length === 1 ? "was" : "were"} unexpected)`,
    );
  return fault(
    400,
    `Schema error for ${issue === undefined || issue.path.length === 0 ? what : issue.path.map(String).join("/")}: ${issue?.message ?? "is not valid"}`,
  );
}
