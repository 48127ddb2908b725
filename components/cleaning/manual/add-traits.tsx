"use client";
// Adds a trait to a host that shares none with a runbook, after confirmation: traits keep runbooks off the wrong hardware.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
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
        <AddDialog
          host={host}
          traits={traits}
          runbook={runbook}
          trait={chosen}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Notice>
  );
}

function AddDialog({
  host,
  traits,
  runbook,
  trait,
  onClose,
}: AddTraitsProps & { trait: string; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const add = async () => {
    await client.cleaning.setTraits.mutate({ hostId: host.id, traits: [...traits, trait] });
    await queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
  };
  return (
    <ActDialog
      title={`Add the trait ${trait} to ${host.name}?`}
      consequence={
        <p>
          Every runbook for {trait} may then run on {host.name}, {runbook.name} among them. Add it only if the
          hardware matches.
        </p>
      }
      confirmWords={`Add ${trait}`}
      send={add}
      said={`Trait ${trait} added to ${host.name}`}
      onClose={onClose}
    />
  );
}
