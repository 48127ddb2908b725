"use client";
// A host's traits, which decide which runbooks may run on it. Users who may clean the host can change them.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { traitText } from "@/components/cleaning/runbooks/runbook-text";

interface HostTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  mayClean: boolean;
}

export function HostTraits({ host, traits, mayClean }: HostTraitsProps) {
  const [asked, setAsked] = useState(false);
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
      <Button
        small
        onClick={() => setAsked(true)}
        disabledReason={mayClean ? undefined : "Your role may not clean hosts"}
      >
        Change traits…
      </Button>
      {asked ? <TraitsDialog host={host} traits={traits} onClose={() => setAsked(false)} /> : null}
    </p>
  );
}

const schema = z.object({ traits: traitText });

function TraitsDialog({
  host,
  traits,
  onClose,
}: Omit<HostTraitsProps, "mayClean"> & { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone: () => undefined });
  const [texts] = useState({ traits: traits.join(", ") });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Traits of ${host.name} saved`, async () => {
        await client.cleaning.setTraits.mutate({ hostId: host.id, ...schema.parse(value) });
        await queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
      }),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Traits of ${host.name}`}
        consequence={
          <p>A runbook runs only on hosts that share a trait with it. A running cleaning is not affected.</p>
        }
        confirmWords="Save traits"
        schema={schema}
        edits
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="traits">
          {(field) => <field.TextField label="Traits, separated by commas or spaces" mono />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
