"use client";
// Creates a site from a name and its provisioning networks; everything else starts with defaults.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { routes } from "@/server/domain/console/routes";
import { siteDocument } from "@/server/domain/sites/document";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { useWhyNoSettings } from "@/components/sites/use-settings";

export function CreateSite() {
  const whyNot = useWhyNoSettings();
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>();
  return (
    <>
      <DialogButton
        disabledReason={whyNot}
        dialog={(onClose) => <NameDialog onClose={onClose} onNamed={setDraft} />}
      >
        Create a site…
      </DialogButton>
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

interface NameDialogProps {
  readonly onClose: () => void;
  readonly onNamed: (draft: Draft) => void;
}

const NameDialog = ({ onClose, onNamed }: NameDialogProps) => (
  <ActFormDialog
    title="Create a site"
    consequence="A site begins with the default policy. Its name cannot be changed later."
    confirmWords="Continue"
    schema={schema}
    values={{ site: "", networks: "loopback" }}
    fields={{
      site: { label: "Name", mono: true, short: true },
      networks: {
        label: "Provisioning networks",
        hint: "Where hosts may boot from, one per line, such as 10.1.0.0/16. The word loopback means this machine.",
        rows: 2,
      },
    }}
    send={({ site, networks }) =>
      onNamed({
        site,
        document: JSON.stringify({ format: 1, site, policy: { provisioningNetworks: networks } }),
        revision: null,
        reason: "first settings",
      })
    }
    onClose={onClose}
  />
);
