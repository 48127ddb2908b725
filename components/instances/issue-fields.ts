// The issue reported with a release, as form fields: a category, a summary and details.
import { z } from "zod";
import type { FieldSpecs } from "@/components/ui/form/fields";
import type { ReplacementWish } from "@/server/domain/break-fix/ticket";
import { healthIssue, issueCategories, issueLimits } from "@/server/domain/repair/health-issue";
import type { HealthIssue } from "@/server/domain/repair/health-issue";

/** As chosen and typed. Without a category, no issue is reported. */
export const noIssue = { category: "", summary: "", details: "", replacementWanted: false };

/** Reads the issue, null if none is reported. A replacement can be requested only with an issue. */
export const releaseIssue = z
  .object({
    category: z.string(),
    summary: z.string(),
    details: z.string(),
    replacementWanted: z.boolean(),
  })
  .transform((texts, context): ReplacementWish & { issue: HealthIssue | null } => {
    if (texts.category === "") return { issue: null, replacementWanted: false };
    const { replacementWanted, ...typed } = texts;
    const read = healthIssue.safeParse(typed);
    if (read.success) return { issue: read.data, replacementWanted };
    context.addIssue({
      code: "custom",
      message:
        texts.summary.trim() === ""
          ? "Enter a summary of what is wrong"
          : (read.error.issues[0]?.message ?? "Check the issue"),
    });
    return z.NEVER;
  });

const categories = [
  { value: "", label: "No, it works" },
  ...issueCategories.map((category) => ({ value: category, label: category })),
];

/** The fields of an issue; summary and details once a category is chosen. */
export function issueSpecs({ category }: { readonly category: string }) {
  const isReported = category !== "";
  return {
    category: {
      label: "Is something wrong with the machine?",
      options: categories,
      hint: isReported
        ? "Nobody gets the machine until it has been checked. The repair team sees what you write, but not who you are."
        : undefined,
    },
    summary: isReported ? { label: "Summary", maxLength: issueLimits.summary } : null,
    details: isReported
      ? { label: "Details", aside: "optional", rows: 2, maxLength: issueLimits.details }
      : null,
  } satisfies FieldSpecs;
}

/** The same with a release, in whose ticket the tenant may ask for a replacement machine. */
export const releaseSpecs = (values: { readonly category: string }) => ({
  ...issueSpecs(values),
  replacementWanted:
    values.category === ""
      ? null
      : { label: "Ask for a replacement", aside: "in the ticket that the release opens" },
});
