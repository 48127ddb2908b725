"use client";
// A site's network controller. Its tokens are never shown: an empty field keeps the stored one.
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { useUnsaved } from "@/components/frame/unsaved";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import type { SiteView } from "@/server/surfaces/trpc/types";
import type { Draft } from "@/components/sites/apply-dialog";
import { DraftForm } from "@/components/sites/draft-form";
import { Section } from "@/components/sites/section";
import { documentWith } from "@/components/sites/draft";

const tokenName = "NETWORK_TOKEN";
const acknowledgementName = "ACKNOWLEDGEMENT_TOKEN";

interface ControllerFormProps {
  readonly view: SiteView;
  readonly whyNot: string | undefined;
}

/** Validates the fields. A stored token can be kept only if the site has a controller. */
export const controllerSchema = ({ networkController: stored }: SiteView["document"]) =>
  z
    .object({
      url: z
        .string()
        .trim()
        .refine((text) => text === "" || /^https?:\/\/[^\s/]/.test(text), "Enter an http or https address"),
      token: z.string().trim().max(4_096),
      acknowledges: z.boolean(),
      acknowledgementToken: z.string().trim().max(4_096),
    })
    .superRefine(({ url, token, acknowledges, acknowledgementToken }, context) => {
      const missing = (path: string, message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      if (url === "") {
        if (token !== "" || acknowledgementToken !== "")
          missing("url", "Enter the address of the controller");
        return;
      }
      if (token === "" && stored === undefined) missing("token", "Enter the token that Reclaim sends");
      if (acknowledges && acknowledgementToken === "" && stored?.acknowledgementToken === undefined)
        missing("acknowledgementToken", "Enter the token that the controller sends");
    });

const secretOf = (name: string, value: string) => (value === "" ? { stored: true } : { fromEnv: name });

type Typed = z.output<ReturnType<typeof controllerSchema>>;

/** The change to apply; typed tokens are sent separately from the document. */
function draftOf({ site, document, revision }: SiteView, typed: Typed): Draft {
  const { networkController: _, ...rest } = document;
  const { url, token, acknowledges, acknowledgementToken } = typed;
  if (url === "") return { site, revision, document: documentWith(rest, {}) };
  const networkController = {
    url,
    token: secretOf(tokenName, token),
    ...(acknowledges ? { acknowledgementToken: secretOf(acknowledgementName, acknowledgementToken) } : {}),
  };
  return {
    site,
    revision,
    document: documentWith(rest, { networkController }),
    secrets: {
      ...(token === "" ? {} : { [`env:${tokenName}`]: token }),
      ...(acknowledges && acknowledgementToken !== ""
        ? { [`env:${acknowledgementName}`]: acknowledgementToken }
        : {}),
    },
  };
}

/** Remounted whenever the controller changes, so that typed tokens do not stay in the page. */
export function ControllerForm({ view, whyNot }: ControllerFormProps) {
  return (
    <ControllerFields key={JSON.stringify(view.document.networkController)} view={view} whyNot={whyNot} />
  );
}

/** Initial field values. */
const textsOf = ({ networkController: stored }: SiteView["document"]) => ({
  url: stored?.url ?? "",
  token: "",
  acknowledges: stored === undefined || stored.acknowledgementToken !== undefined,
  acknowledgementToken: "",
});

const summaryOf = ({ networkController: stored }: SiteView["document"]): string =>
  stored === undefined
    ? "none: hosts of this site cannot be detached from a tenant"
    : "attaches and detaches hosts";

const tokenOf = (stored: unknown) =>
  ({
    aside: stored === undefined ? "none stored" : "stored; leave empty to keep it",
    type: "password",
    autoComplete: "new-password",
  }) as const;

function ControllerFields({ view, whyNot }: ControllerFormProps) {
  const { networkController: stored } = view.document;
  const [schema] = useState(() => controllerSchema(view.document));
  const [draft, setDraft] = useState<Draft>();
  const [empty] = useState(() => textsOf(view.document));
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value }) => setDraft(draftOf(view, schema.parse(value))),
  });
  const isDirty = useStore(form.store, (state) => state.isDirty);
  useUnsaved(isDirty ? "The network controller is not saved." : undefined);
  return (
    <form.AppForm>
      <DraftForm
        schema={schema}
        whyNot={whyNot}
        submitWords="Save network controller…"
        draft={draft}
        onApplied={() => form.reset()}
        onClose={() => setDraft(undefined)}
      >
        <Section
          section={{ title: "Network controller", summary: summaryOf(view.document) }}
          disabled={whyNot !== undefined}
        >
          <Fields
            form={form}
            fields={{
              url: { label: "Address", mono: true, hint: "Leave empty if the site has none." },
              token: { label: "Token that Reclaim sends", ...tokenOf(stored?.token) },
              acknowledgementToken: {
                label: "Token that the controller sends",
                ...tokenOf(stored?.acknowledgementToken),
              },
              acknowledges: { label: "Acknowledges", aside: "off: its acknowledgement token is removed" },
            }}
          />
        </Section>
      </DraftForm>
    </form.AppForm>
  );
}
