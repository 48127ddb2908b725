// Shared by all documents: texts that count as booleans, and messages for what a schema refuses.
import { z } from "zod";
import { required } from "@/server/domain/schema-text";
import { fault, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { booleanOf } from "@/server/surfaces/machine/ironic/wire/query";

/** In a patch, the client sends booleans as text. */
export const flagOf = z.preprocess(
  (value) => (typeof value === "string" ? (booleanOf(value) ?? value) : value),
  z.boolean({ error: ({ input }) => `'${String(input).slice(0, 50)}' is not a boolean` }),
);

/** 400 with the place in the document. For a missing or unknown member it has the text of Ironic's validator. @param what the document is, such as `node` */
export function schemaFault(what: string, error: z.ZodError): IronicFault {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  // Entries of a list are named with the list, members of a document alone.
  const placeOf = (parts: readonly string[]): string =>
    parts.length === 0 ? what : [...(/^\d/.test(parts[0] ?? "") ? [what] : []), ...parts].join(".");
  if (issue?.code === "unrecognized_keys")
    return fault(
      400,
      `Schema error for ${placeOf(path)}: Additional properties are not allowed (${issue.keys.map((key) => `'${key.slice(0, 100)}'`).join(", ")} ${issue.keys.length === 1 ? "was" : "were"} unexpected)`,
    );
  if (issue?.message === required)
    return fault(
      400,
      `Schema error for ${placeOf(path.slice(0, -1))}: '${path.at(-1) ?? what}' is a required property`,
    );
  return fault(400, `Schema error for ${placeOf(path)}: ${issue?.message ?? "is not valid"}`);
}
