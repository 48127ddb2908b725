"use client";
// Where a site is, as part of its document. NICo's clients take it for the region of the site's hosts.
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { useUnsaved } from "@/components/frame/unsaved";
import type { Draft } from "@/components/sites/apply-dialog";
import { documentWith } from "@/components/sites/draft";
import { DraftForm } from "@/components/sites/draft-form";
import { Section } from "@/components/sites/section";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { siteLocation } from "@/server/domain/sites/document";
import type { SiteLocation } from "@/server/domain/sites/document";
import type { SiteView } from "@/server/surfaces/trpc/types";

interface LocationFormProps {
  readonly view: SiteView;
  /** Why this user may not change settings. */
  readonly whyNot: string | undefined;
}

/** What is left empty is not said. */
const locationOf = (typed: Readonly<Record<keyof SiteLocation, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typed)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ""),
  );

const place = z.string().superRefine((text, context) => {
  if (text.trim() === "") return;
  const issue = siteLocation.safeParse({ city: text.trim() }).error?.issues[0];
  if (issue !== undefined) context.addIssue({ code: "custom", message: issue.message });
});
const schema = z.object({ city: place, state: place, country: place });

const textsOf = ({ city = "", state = "", country = "" }: SiteLocation) => ({ city, state, country });

/** The change to apply. Without any of the three, the document has no location. */
function draftOf({ site, document, revision }: SiteView, typed: z.output<typeof schema>): Draft {
  const { location: _, ...rest } = document;
  const location = locationOf(typed);
  return {
    ...{ site, revision },
    document: documentWith(rest, Object.keys(location).length === 0 ? {} : { location }),
  };
}

/** Remounted whenever the location changes. */
export const LocationForm = ({ view, whyNot }: LocationFormProps) => (
  <LocationFields key={JSON.stringify(view.document.location)} view={view} whyNot={whyNot} />
);

function LocationFields({ view, whyNot }: LocationFormProps) {
  const stored = view.document.location ?? {};
  const [draft, setDraft] = useState<Draft>();
  const [texts] = useState(() => textsOf(stored));
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value }) => setDraft(draftOf(view, schema.parse(value))),
  });
  const isDirty = useStore(form.store, (state) => state.isDirty);
  useUnsaved(isDirty ? "The location is not saved." : undefined);
  return (
    <form.AppForm>
      <DraftForm
        schema={schema}
        whyNot={whyNot}
        submitWords="Save location…"
        draft={draft}
        onApplied={() => form.reset()}
        onClose={() => setDraft(undefined)}
      >
        <Section
          section={{
            title: "Location",
            summary: "NICo’s clients take it for the region of the site’s hosts",
          }}
          disabled={whyNot !== undefined}
        >
          <Fields
            form={form}
            fields={{
              city: { label: "City" },
              state: { label: "State" },
              country: { label: "Country", hint: "Leave empty what is not to be said." },
            }}
          />
        </Section>
      </DraftForm>
    </form.AppForm>
  );
}
