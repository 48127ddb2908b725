"use client";
// Adds a trait to a host that shares none with a runbook, after confirmation: traits keep runbooks off the wrong hardware.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Notice } from "@/components/ui/notice";

interface AddTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  runbook: { readonly name: string; readonly traits: readonly string[] };
}

export function AddTraits({ host, traits, runbook }: AddTraitsProps) {
  const [chosen, setChosen] = useState<string>();
  return (
    <Notice
      tone="attention"
      act={runbook.traits.map((trait) => (
        <Button key={trait} small onClick={() => setChosen(trait)}>
          Add {trait}…
        </Button>
      ))}
    >
      {host.name} shares no trait with runbook {runbook.name}. If the runbook is meant for this hardware, add
      the trait to the host.
      {chosen === undefined ? null : (
        <ActDialog
          title={`Add the trait ${chosen} to ${host.name}?`}
          consequence={`Every runbook for ${chosen} may then run on ${host.name}, ${runbook.name} among them. Add it only if the hardware matches.`}
          confirmWords={`Add ${chosen}`}
          send={(_, client) =>
            client.cleaning.setTraits.mutate({ hostId: host.id, traits: [...traits, chosen] })
          }
          said={`Trait ${chosen} added to ${host.name}`}
          stale={(trpc) => [trpc.cleaning]}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Notice>
  );
}
