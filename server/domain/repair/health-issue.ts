// What is wrong with a machine according to its tenant: NICo's `machineHealthIssue`, and the reports made from it (docs/repair.md#report-an-issue-with-a-release).
import { z } from "zod";
import type { ReportInput } from "@/server/domain/repair/health/report";
import { fromTemplate } from "@/server/domain/repair/health/templates";

export const issueCategories = [
  "Hardware",
  "Network",
  "Performance",
  "Storage",
  "Software",
  "Other",
] as const;

export const issueLimits = { summary: 1024, details: 8192 } as const;

/** In code points, because NICo counts runes and not bytes. */
const atMost = (most: number) => (text: string) => [...text].length <= most;
/** Text that can be stored and shown; line breaks are allowed. */
const shown = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;
const noControl = "must not have control characters";

/** A required text. */
export const issueText = (most: number) =>
  z
    .string({ error: "a value is required" })
    .refine((text) => text.trim() !== "", "a value is required")
    .refine(atMost(most), `must be at most ${most} characters`)
    .regex(shown, noControl);

export const healthIssue = z.object({
  category: z.enum(issueCategories, { error: `must be one of ${issueCategories.join(", ")}` }),
  summary: issueText(issueLimits.summary),
  details: z
    .string({ error: "must be text" })
    .refine(atMost(issueLimits.details), `must be at most ${issueLimits.details} characters`)
    .regex(shown, noControl)
    .nullish()
    .transform((text) => text ?? ""),
});
export type HealthIssue = z.output<typeof healthIssue>;

/** NICo's format in the message of an alert, without the tenant's organization, because a repair tenant reads the message (docs/adr/0093-repair.md). */
export const issueMessage = ({ category, summary, details }: HealthIssue): string =>
  JSON.stringify({ issue_category: category.toUpperCase(), summary, details });

/** A tenant reported the issue. The machine is not allocated until the report is removed. */
export const reportedIssue = (issue: HealthIssue): ReportInput =>
  fromTemplate("tenant-reported-issue", issueMessage(issue), `TenantReportedIssue: ${issue.summary}`);

/** The machine should be claimed for repair. */
export const requestedRepair = (issue: HealthIssue): ReportInput =>
  fromTemplate(
    "request-repair",
    issueMessage(issue),
    `RepairSystem: Node ready for repair - ${issue.summary}`,
  );

/** An issue as read from an alert. `category` null: the author of the alert used none of ours. */
export interface ReportedIssue {
  readonly category: (typeof issueCategories)[number] | null;
  readonly summary: string;
  readonly details: string;
}

const written = z.object({
  issue_category: z.string(),
  summary: z.string(),
  details: z.string().default(""),
});

/** Reads the issue from an alert's message. An operator's free text becomes the summary. Pure. */
export function readIssue(message: string): ReportedIssue {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return { category: null, summary: message, details: "" };
  }
  const read = written.safeParse(value);
  if (!read.success) return { category: null, summary: message, details: "" };
  const { issue_category, summary, details } = read.data;
  const category = issueCategories.find((known) => known.toUpperCase() === issue_category.toUpperCase());
  return { category: category ?? null, summary, details };
}
