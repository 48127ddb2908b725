"use client";
// The issue fields in the dialogs of an online repair.
import { issueChoices } from "@/components/repair/online-repair/issue-texts";
import { withFieldGroup } from "@/components/ui/form/form-kit";
import { issueLimits } from "@/server/domain/repair/health-issue";

interface IssueHints {
  readonly summaryHint?: string;
  readonly detailsHint?: string;
  /** Note beside the details, such as that they are optional. */
  readonly detailsAside?: string;
}
const noHints: IssueHints = {};

export const IssueGroup = withFieldGroup({
  defaultValues: { category: "", summary: "", details: "" },
  props: noHints,
  render: ({ group, summaryHint, detailsHint, detailsAside }) => (
    <>
      <group.AppField name="category">
        {(field) => <field.SelectField label="What is wrong" options={issueChoices} />}
      </group.AppField>
      <group.AppField name="summary">
        {(field) => <field.TextField label="Summary" hint={summaryHint} maxLength={issueLimits.summary} />}
      </group.AppField>
      <group.AppField name="details">
        {(field) => (
          <field.TextAreaField
            label="Details"
            aside={detailsAside}
            hint={detailsHint}
            maxLength={issueLimits.details}
          />
        )}
      </group.AppField>
    </>
  ),
});

/** The form fields of this group. */
export const issueFields = { category: "category", summary: "summary", details: "details" } as const;
