"use client";
// What is wrong with a machine, as the dialogs of an online repair ask for it.
import { issueChoices } from "@/components/online-repair/issue-texts";
import { withFieldGroup } from "@/components/ui/form/form-kit";
import { issueLimits } from "@/server/domain/repair/health-issue";

interface IssueHints {
  readonly summaryHint?: string;
  readonly detailsHint?: string;
  /** Of the details: may they be left out. */
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

/** The fields of a form that are these. */
export const issueFields = { category: "category", summary: "summary", details: "details" } as const;
