"use client";
// The fields of an erase policy: the standard, and for each medium its level and techniques.
import type { AnyFormApi } from "@tanstack/react-form";
import { Fields } from "@/components/ui/form/fields";
import { levels, standards } from "@/server/domain/cleaning/sanitization/techniques";
import {
  levelLabels,
  mediaKinds,
  mediaLabels,
  notCounting,
  standardLabels,
} from "@/components/cleaning/policy/erase-form";
import type { EraseForm } from "@/components/cleaning/policy/erase-form";

interface EraseFieldsProps {
  readonly form: AnyFormApi;
  /** The form's current values, for the texts that depend on them. */
  readonly values: EraseForm;
}

export const EraseFields = ({ form, values }: EraseFieldsProps) => (
  <>
    <Fields
      form={form}
      fields={{
        standard: {
          label: "Standard",
          options: standards.map((value) => ({ value, label: standardLabels[value] })),
        },
      }}
    />
    {mediaKinds.map((media) => (
      <fieldset key={media}>
        <legend className="sec">{mediaLabels[media]}</legend>
        <Fields
          form={form}
          fields={{
            [`minimum.${media}`]: {
              label: `Minimum level, ${mediaLabels[media]}`,
              options: levels.map((value) => ({ value, label: levelLabels[value] })),
            },
            [`techniques.${media}`]: {
              label: `Techniques in order, ${mediaLabels[media]}`,
              aside: "one per line",
              hint: countHint(values, media),
              maxLength: 2_000,
              mono: true,
              rows: 8,
            },
          }}
        />
      </fieldset>
    ))}
    <Fields
      form={form}
      fields={{
        fallback: { label: "Fallback", aside: "if a drive refuses a technique, try the next one" },
      }}
    />
  </>
);

function countHint(values: EraseForm, media: (typeof mediaKinds)[number]) {
  const words = notCounting(values, media);
  return words.length === 0
    ? undefined
    : `Below the minimum level, so a drive erased by it fails: ${words.join(", ")}`;
}
