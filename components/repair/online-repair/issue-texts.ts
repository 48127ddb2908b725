// Schemas for a typed issue, with the messages for missing fields.
import { z } from "zod";
import { healthIssue, issueCategories } from "@/server/domain/repair/health-issue";
import { onlineRepairIssue } from "@/server/domain/repair/online-repair";

const typed = (missing: string, rule: z.ZodType<string>) =>
  z.string().superRefine((text, context) => {
    const read = rule.safeParse(text);
    if (read.success) return;
    context.addIssue({
      code: "custom",
      message: text.trim() === "" ? missing : (read.error.issues[0]?.message ?? missing),
    });
  });

export const summaryText = typed("Enter a summary of what is wrong", healthIssue.shape.summary);

export const detailsText = typed("Enter the details", onlineRepairIssue.shape.details);

/** Details are optional with a release. */
export const detailsOrNone = typed("", healthIssue.shape.details);

export const issueChoices = [
  { value: "", label: "Choose" },
  ...issueCategories.map((category) => ({ value: category, label: category })),
];
