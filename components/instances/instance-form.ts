// Schemas for the instance forms: labels one per line, and an optional network.
import { z } from "zod";
import { labelsSpec, typedLabels } from "@/components/ui/form/label-lines";
import { instanceDescription, instanceLabels, instanceName } from "@/server/domain/instances/own-text";

/** Name, description and labels. */
export const ownText = {
  name: z.string().transform((text, context): string => {
    const parsed = instanceName.safeParse(text);
    if (parsed.success) return parsed.data;
    context.addIssue({
      code: "custom",
      message: text.trim() === "" ? "Enter a name" : `Name: ${parsed.error.issues[0]?.message ?? ""}`,
    });
    return z.NEVER;
  }),
  description: instanceDescription,
  labels: typedLabels(instanceLabels),
};

/** The fields of `ownText`. */
export const ownSpecs = {
  name: { label: "Name" },
  description: { label: "Description", aside: "optional", rows: 2, maxLength: 1024 },
  labels: { ...labelsSpec, maxLength: 20_000 },
};

/** The id of a network or host, or none. */
export const idOrNothing = (words: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || z.guid().safeParse(text).success, `${words}: enter an id (UUID)`);
