"use client";
// Creates a site from a name and its provisioning networks; everything else starts with defaults.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { routes } from "@/server/domain/console/routes";
import { siteDocument } from "@/server/domain/sites/document";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { useWhyNoSettings } from "@/components/sites/use-settings";

export function CreateSite() {
  const whyNot = useWhyNoSettings();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<Draft>();
  return (
    <>
      <Button small disabledReason={whyNot} onClick={() => setOpen(true)}>
        Create a site…
      </Button>
      {open ? (
        <NameDialog
          onClose={() => setOpen(false)}
          onNamed={(next) => {
            setOpen(false);
            setDraft(next);
          }}
        />
      ) : null}
      {draft === undefined ? null : (
        <ApplyDialog
          draft={draft}
          onClose={() => setDraft(undefined)}
          onApplied={({ site }) => router.push(routes.settings.site({ site }))}
        />
      )}
    </>
  );
}

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const schema = z.object({
  site: z.string().trim().min(1, "Enter a name").pipe(siteDocument.shape.site),
  networks: z.string().transform(lines).pipe(siteDocument.shape.policy.shape.provisioningNetworks),
});

function NameDialog({
  onClose,
  onNamed,
}: {
  readonly onClose: () => void;
  readonly onNamed: (draft: Draft) => void;
}) {
  const form = useAppForm({
    defaultValues: { site: "", networks: "loopback" },
    validators: { onChange: schema },
    onSubmit: ({ value }) => {
      const { site, networks } = schema.parse(value);
      onNamed({
        site,
        document: JSON.stringify({ format: 1, site, policy: { provisioningNetworks: networks } }),
        revision: null,
        reason: "first settings",
      });
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Create a site"
        consequence={<p>A site begins with the default policy. Its name cannot be changed later.</p>}
        confirmWords="Continue"
        schema={schema}
        problem={undefined}
        onClose={onClose}
      >
        <form.AppField name="site">{(field) => <field.TextField label="Name" mono short />}</form.AppField>
        <form.AppField name="networks">
          {(field) => (
            <field.TextAreaField
              label="Provisioning networks"
              hint="Where hosts may boot from, one per line, such as 10.1.0.0/16. The word loopback means this machine."
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
