"use client";
// The fields of a runbook besides its steps: name, purpose, and the traits that lock it to its hardware.
import { Fragment } from "react";
import { z } from "zod";
import { traitOfSku, traitsOf, traitText } from "@/components/cleaning/runbooks/runbook-text";

export const runbookSchema = z.object({
  name: z.string().trim().min(1, "Enter a name"),
  description: z.string().trim(),
  traits: traitText.refine(
    (typed) => typed.length > 0,
    "Enter at least one trait: it keeps the runbook off other hardware",
  ),
});

/** Form values. */
export type RunbookTexts = z.input<typeof runbookSchema>;

export const emptyTexts: RunbookTexts = { name: "", description: "", traits: "" };

const maxProposed = 12;

interface KnownTraitsProps {
  /** Traits known from hosts or runbooks. */
  known: readonly string[];
  /** Source of suggestions while no trait is known. */
  skus: readonly { readonly name: string }[];
  text: string;
  onChange: (text: string) => void;
}

export const runbookSpecs = (traits: KnownTraitsProps) => ({
  name: { label: "Name", maxLength: 128 },
  description: { label: "What it is for", aside: "optional", rows: 2, maxLength: 2000 },
  traits: {
    label: "Traits",
    aside: "at least one; it runs on hosts that have one of them",
    hint: <KnownTraits {...traits} />,
    mono: true,
  },
});

/** Known traits, to add by click. */
function KnownTraits({ known, skus, text, onChange }: KnownTraitsProps) {
  const chosen = traitsOf(text);
  const proposed = known.length > 0 ? known : skus.map(({ name }) => traitOfSku(name));
  const others = proposed.filter((trait) => !chosen.includes(trait)).slice(0, maxProposed);
  const unknown = chosen.filter((trait) => !known.includes(trait));
  if (others.length === 0 && unknown.length === 0) return null;
  return (
    <>
      {unknown.length === 0
        ? null
        : `No host has ${unknown.join(" or ")} yet: add it to a host where you run the runbook. `}
      {others.length === 0 ? null : known.length > 0 ? "Known: " : "Suggested, by SKU: "}
      {others.map((trait, index) => (
        <Fragment key={trait}>
          {index === 0 ? null : " "}
          <button
            type="button"
            className="copy mono text-small"
            aria-label={`Add the trait ${trait}`}
            onClick={() => onChange([...chosen, trait].join(", "))}
          >
            {trait}
          </button>
        </Fragment>
      ))}
    </>
  );
}
