// Labels of a host: notes by its provider and by tenants that repair it. Limits and error texts are NICo's (docs/api.md#nico).
import { z } from "zod";

export type HostLabels = Readonly<Record<string, string>>;

const most = 10;
const longest = 255;
/** NUL and lone surrogates, which the database rejects. */
export const unstorable = /[\0\p{Cs}]/u;

/** What is wrong with the labels; null: nothing. Pure. */
function labelProblem(labels: HostLabels): string | null {
  const pairs = Object.entries(labels);
  if (pairs.length > most) return `up to ${most} key/value pairs can be specified in labels`;
  for (const [key, value] of pairs) {
    if (key === "") return "one or more labels do not have a key specified";
    if (key.trim() === "") return "label key consists only of whitespace";
    if ([...key].length > longest)
      return `label key must contain at least 1 character and a maximum of ${longest} characters`;
    if (unstorable.test(key) || unstorable.test(value))
      return "one or more labels have a character that cannot be stored";
    if ([...value].length > longest) return `label value cannot exceed a maximum of ${longest} characters`;
  }
  return null;
}

/** The value of a label. */
export const hostLabelValue = z
  .string()
  .refine((text) => [...text].length <= longest, `must be at most ${longest} characters`)
  .refine((text) => !unstorable.test(text), "has a character that cannot be stored");

/** All labels of a host. An update replaces them. */
export const hostLabels = z.record(z.string(), z.string()).superRefine((labels, context) => {
  const message = labelProblem(labels);
  if (message !== null) context.addIssue({ code: "custom", message });
});
