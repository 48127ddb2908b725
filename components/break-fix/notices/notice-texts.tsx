"use client";
// A notice's texts: one for tenants, one for provider users only.
import { withFieldGroup } from "@/components/ui/form/form-kit";

export const NoticeTexts = withFieldGroup({
  defaultValues: { message: "", note: "" },
  render: ({ group }) => (
    <>
      <group.AppField name="message">
        {(field) => <field.TextAreaField label="Text for tenants" maxLength={2048} />}
      </group.AppField>
      <group.AppField name="note">
        {(field) => <field.TextAreaField label="Internal note" aside="optional" maxLength={2048} />}
      </group.AppField>
    </>
  ),
});
