"use client";
// A host's traits, which decide which runbooks may run on it. Users who may clean the host can change them.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { traitText } from "@/components/cleaning/runbooks/runbook-text";

interface HostTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  mayClean: boolean;
}

export function HostTraits({ host, traits, mayClean }: HostTraitsProps) {
  return (
    <p className="automated">
      <span>
        Traits:{" "}
        {traits.length === 0 ? (
          <span className="text-quiet">none, so no runbook can run on it</span>
        ) : (
          <span className="mono">{traits.join(", ")}</span>
        )}
      </span>
      <DialogButton
        disabledReason={mayClean ? undefined : "Your role may not clean hosts"}
        dialog={(onClose) => <TraitsDialog host={host} traits={traits} onClose={onClose} />}
      >
        Change traits…
      </DialogButton>
    </p>
  );
}

const schema = z.object({ traits: traitText });

const TraitsDialog = ({
  host,
  traits,
  onClose,
}: Omit<HostTraitsProps, "mayClean"> & { onClose: () => void }) => (
  <ActFormDialog
    title={`Traits of ${host.name}`}
    consequence="A runbook runs only on hosts that share a trait with it. A running cleaning is not affected."
    confirmWords="Save traits"
    edits
    schema={schema}
    values={{ traits: traits.join(", ") }}
    fields={{ traits: { label: "Traits, separated by commas or spaces", mono: true } }}
    send={(typed, client) => client.cleaning.setTraits.mutate({ hostId: host.id, ...typed })}
    said={`Traits of ${host.name} saved`}
    stale={(trpc) => [trpc.cleaning]}
    onClose={onClose}
  />
);
