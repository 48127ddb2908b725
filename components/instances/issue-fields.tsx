"use client";
// The issue reported with a release: a category, a summary and details.
import { Check, Field, Select, TextArea, TextInput } from "@/components/ui/form/controls";
import { healthIssue, issueCategories, issueLimits } from "@/server/domain/repair/health-issue";
import type { HealthIssue } from "@/server/domain/repair/health-issue";

/** As chosen and typed. Without a category, no issue is reported. */
export interface IssueTexts {
  readonly category: string;
  readonly summary: string;
  readonly details: string;
}

export const noIssue: IssueTexts = { category: "", summary: "", details: "" };

/** The issue, or why it is incomplete; both null if none is reported. Pure. */
export function issueOf(texts: IssueTexts): {
  readonly issue: HealthIssue | null;
  readonly missing: string | undefined;
} {
  if (texts.category === "") return { issue: null, missing: undefined };
  const read = healthIssue.safeParse(texts);
  if (read.success) return { issue: read.data, missing: undefined };
  return {
    issue: null,
    missing: texts.summary.trim() === "" ? "Enter a summary of what is wrong" : read.error.issues[0]?.message,
  };
}

const categories = [
  { value: "", label: "No, it works" },
  ...issueCategories.map((category) => ({ value: category, label: category })),
];

interface IssueFieldsProps {
  texts: IssueTexts;
  onChange: (texts: IssueTexts) => void;
}

export function IssueFields({ texts, onChange }: IssueFieldsProps) {
  return (
    <>
      <Field
        label="Is something wrong with the machine?"
        hint={
          texts.category === ""
            ? undefined
            : "Nobody gets the machine until it has been checked. The repair team sees what you write, but not who you are."
        }
      >
        {(aria) => (
          <Select
            aria={aria}
            value={texts.category}
            options={categories}
            onChange={(category) => onChange({ ...texts, category })}
          />
        )}
      </Field>
      {texts.category === "" ? null : (
        <>
          <Field label="Summary" required>
            {(aria) => (
              <TextInput
                aria={aria}
                value={texts.summary}
                maxLength={issueLimits.summary}
                onChange={(summary) => onChange({ ...texts, summary })}
              />
            )}
          </Field>
          <Field label="Details" aside="optional">
            {(aria) => (
              <TextArea
                aria={aria}
                value={texts.details}
                maxLength={issueLimits.details}
                onChange={(details) => onChange({ ...texts, details })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}

interface ReplacementFieldProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether the tenant asks for a replacement machine; shown together with an issue. */
export function ReplacementField({ checked, onChange }: ReplacementFieldProps) {
  return (
    <div className="field">
      <Check checked={checked} onChange={onChange}>
        Ask for a replacement <span className="text-quiet">in the ticket that the release opens</span>
      </Check>
    </div>
  );
}
