// Host and instance labels as typed: one per line, such as `team=vision`.
import { z } from "zod";

type Labels = Readonly<Record<string, string>>;

/** One label per line. */
export const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

/** Undefined if a line is not `name=value`, or if a name occurs twice. */
function labelsOf(text: string): Record<string, string> | undefined {
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

/** Parses labels from text; `rules` validates them. */
export const typedLabels = (rules: z.ZodType<Record<string, string>>) =>
  z.string().transform((text, context): Record<string, string> => {
    const labels = labelsOf(text);
    const complaint =
      labels === undefined
        ? "One per line: a name, = and a value; each name once"
        : rules.safeParse(labels).error?.issues[0]?.message;
    if (labels !== undefined && complaint === undefined) return labels;
    context.addIssue({ code: "custom", message: `Labels: ${complaint ?? ""}` });
    return z.NEVER;
  });

/** The field for labels. */
export const labelsSpec = { label: "Labels", hint: "one per line, such as team=vision", rows: 2 };
