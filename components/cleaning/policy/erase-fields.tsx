"use client";
// The fields of an erase policy: the standard, and for each medium its level and techniques.
import { withForm } from "@/components/ui/form/form-kit";
import { presets } from "@/server/domain/cleaning/policy/presets";
import { levels, standards } from "@/server/domain/cleaning/sanitization/techniques";
import {
  eraseSchema,
  formOf,
  levelLabels,
  mediaKinds,
  mediaLabels,
  notCounting,
  standardLabels,
} from "@/components/cleaning/policy/erase-form";
import type { EraseForm } from "@/components/cleaning/policy/erase-form";

const anyForm: EraseForm = formOf(presets.clear, true);

/** `values`: the form's current values, for the texts that depend on them. */
export const EraseFields = withForm({
  defaultValues: anyForm,
  validators: { onChange: eraseSchema },
  props: { values: anyForm },
  render: ({ form, values }) => (
    <>
      <form.AppField name="standard">
        {(field) => (
          <field.SelectField
            label="Standard"
            options={standards.map((value) => ({ value, label: standardLabels[value] }))}
          />
        )}
      </form.AppField>
      {mediaKinds.map((media) => (
        <fieldset key={media}>
          <legend className="sec">{mediaLabels[media]}</legend>
          <form.AppField name={`minimum.${media}`}>
            {(field) => (
              <field.SelectField
                label={`Minimum level, ${mediaLabels[media]}`}
                options={levels.map((value) => ({ value, label: levelLabels[value] }))}
              />
            )}
          </form.AppField>
          <form.AppField name={`techniques.${media}`}>
            {(field) => (
              <field.TextAreaField
                label={`Techniques in order, ${mediaLabels[media]}`}
                aside="one per line"
                hint={countHint(values, media)}
                maxLength={2_000}
                mono
                rows={8}
              />
            )}
          </form.AppField>
        </fieldset>
      ))}
      <form.AppField name="fallback">
        {(field) => (
          <field.CheckField label="Fallback" aside="if a drive refuses a technique, try the next one" />
        )}
      </form.AppField>
    </>
  ),
});

function countHint(values: EraseForm, media: (typeof mediaKinds)[number]) {
  const words = notCounting(values, media);
  return words.length === 0
    ? undefined
    : `Below the minimum level, so a drive erased by it fails: ${words.join(", ")}`;
}
