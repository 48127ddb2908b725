// What is typed into the forms of instances: labels as lines, a network or none.
import { z } from "zod";
import { instanceDescription, instanceLabels, instanceName } from "@/server/domain/instances/own-words";
import type { InstanceLabels } from "@/server/domain/instances/own-words";

/** One in a line, as people read and write them: `team=vision`. */
export const labelsText = (labels: InstanceLabels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

/** Undefined for a line that is not `name=value`, and for a name that is there twice. */
function labelsOf(text: string): InstanceLabels | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) =>
    /^([^=]+)=(.*)$/
      .exec(line.trim())
      ?.slice(1)
      .map((part) => part.trim()),
  );
  const labels = new Map<string, string>();
  for (const pair of pairs) {
    const [name, value] = pair ?? [];
    if (name === undefined || value === undefined || name === "" || labels.has(name)) return undefined;
    labels.set(name, value);
  }
  return Object.fromEntries(labels);
}

const typedLabels = z.string().transform((text, context): InstanceLabels => {
  const labels = labelsOf(text);
  const complaint =
    labels === undefined
      ? "A name, = and a value in each line, each name once"
      : instanceLabels.safeParse(labels).error?.issues[0]?.message;
  if (labels !== undefined && complaint === undefined) return labels;
  context.addIssue({ code: "custom", message: `Labels: ${complaint ?? ""}` });
  return z.NEVER;
});

/** Name, description and labels. */
export const ownWords = {
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
  labels: typedLabels,
};

/** The id of a network or host, or nothing. */
export const idOrNothing = (words: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || z.guid().safeParse(text).success, `${words}: enter an id (UUID)`);
