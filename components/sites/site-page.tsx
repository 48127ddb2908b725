"use client";
// A site's location, network controller, provisioning networks and agent image, and the button to create another site.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { networkSections } from "@/server/domain/sites/setting-fields";
import { Authorities } from "@/components/sites/authorities/authorities";
import { BmcCredentials } from "@/components/sites/bmc-credentials";
import { CreateSite } from "@/components/sites/create-site";
import { LocationForm } from "@/components/sites/location-form";
import { SettingsForm } from "@/components/sites/settings-form";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useSiteSettings, useWhyNoSettings } from "@/components/sites/use-settings";
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

// A site's network controller. Its tokens are never shown: an empty field keeps the stored one.
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
              token: { label: "Token sent by Reclaim", ...tokenOf(stored?.token) },
              acknowledgementToken: {
                label: "Token sent by the controller",
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

export function SitePage() {
  return (
    <SitePageFrame what="site" hrefOf={routes.settings.site} acts={<CreateSite />}>
      {({ name }) => <OneSite name={name} />}
    </SitePageFrame>
  );
}

function OneSite({ name }: { readonly name: string }) {
  const { view, changes } = useSiteSettings(name);
  const whyNot = useWhyNoSettings();
  const { agentImage } = view.document;
  return (
    <>
      <LocationForm view={view} whyNot={whyNot} />
      <ControllerForm view={view} whyNot={whyNot} />
      <SettingsForm view={view} sections={networkSections} changes={changes} whyNot={whyNot} />
      <Authorities view={view} whyNot={whyNot} />
      <BmcCredentials view={view} whyNot={whyNot} />
      <div className="sec">
        <h2>Agent image</h2>
      </div>
      <p>
        {agentImage === undefined ? "The server’s default" : `Version ${agentImage.version}`}.{" "}
        <span className="text-quiet">
          Added and rolled out on the page{" "}
          <Link className="link" href={routes.cleaning.images()}>
            Agent images
          </Link>
          .
        </span>
      </p>
      <p className="text-quiet after">
        The same settings as a document: <code>reclaim site export {name}</code>, then{" "}
        <code>reclaim site apply -f &lt;file&gt;</code>.
      </p>
    </>
  );
}
