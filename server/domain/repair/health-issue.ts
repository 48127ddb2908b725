// What is wrong with a machine, as a tenant says it: NICo's `machineHealthIssue`, and the reports that it becomes (docs/repair.md#report-an-issue-with-a-release).
import { z } from "zod";
import type { ReportInput } from "@/server/domain/health/report";
import { fromTemplate } from "@/server/domain/health/templates";

export const issueCategories = ["Hardware", "Network", "Performance", "Other"] as const;

export const issueLimits = { summary: 1024, details: 8192 } as const;

/** As people count: NICo counts runes, not bytes. */
const atMost = (most: number) => (text: string) => [...text].length <= most;
/** What cannot be stored or shown; a text may have lines. */
const shown = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;
const noControl = "must not have control characters";

/** A text that must be there. */
export const issueText = (most: number) =>
  z
    .string({ error: "a value is required" })
    .refine((text) => text.trim() !== "", "a value is required")
    .refine(atMost(most), `must be at most ${most} characters`)
    .regex(shown, noControl);

export const healthIssue = z.object({
  category: z.enum(issueCategories, { error: "must be one of Hardware, Network, Performance, Other" }),
  summary: issueText(issueLimits.summary),
  details: z
    .string({ error: "must be text" })
    .refine(atMost(issueLimits.details), `must be at most ${issueLimits.details} characters`)
    .regex(shown, noControl)
    .nullish()
    .transform((text) => text ?? ""),
});
export type HealthIssue = z.output<typeof healthIssue>;

/** NICo's form of it in the message of an alert, without the tenant's organisation: a repair tenant reads the message (docs/adr/0093-repair.md). */
export const issueMessage = ({ category, summary, details }: HealthIssue): string =>
  JSON.stringify({ issue_category: category.toUpperCase(), summary, details });

/** That a tenant reported it: the machine is allocated to nobody until it is removed. */
export const reportedIssue = (issue: HealthIssue): ReportInput =>
  fromTemplate("tenant-reported-issue", issueMessage(issue), `TenantReportedIssue: ${issue.summary}`);

/** That the machine is to be claimed for repair. */
export const requestedRepair = (issue: HealthIssue): ReportInput =>
  fromTemplate(
    "request-repair",
    issueMessage(issue),
    `RepairSystem: Node ready for repair - ${issue.summary}`,
  );

/** An issue as an alert says it. `category` null: whoever wrote the alert named none of ours. */
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

/** The issue in the message of an alert; an operator's own words are its summary. Pure. */
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
