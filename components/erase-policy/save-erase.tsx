"use client";
// Saves an erase policy whose effect was shown.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { PolicyForesight } from "@/server/surfaces/trpc/types";
import type { EraseValues } from "@/components/erase-policy/erase-form";

interface SaveEraseProps {
  readonly told: PolicyForesight;
  /** The very policy that it was told of. */
  readonly erase: EraseValues;
  readonly whyNot: string | undefined;
}

export function SaveErase({ whyNot, ...rest }: SaveEraseProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="acts left">
      <Button kind="main" disabledReason={whyNot} onClick={() => setOpen(true)}>
        Save policy…
      </Button>
      {open ? <SaveDialog {...rest} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

const schema = z.object({ reason: reasonText() });

function SaveDialog({ told, erase, onClose }: Omit<SaveEraseProps, "whyNot"> & { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const onDone = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.cleaning.sitePolicy.queryKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.site.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.policy.pathKey() });
  };
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { reason: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        ({ policyVersion }) => `The policy of site ${told.site} is at version ${policyVersion}.`,
        () =>
          client.policy.setErase.mutate({
            siteId: told.siteId,
            policyVersion: told.policyVersion,
            erase,
            ...schema.parse(value),
          }),
      ),
  });
  const cannot = told.models.reduce((sum, model) => sum + model.cannot, 0);
  return (
    <form.AppForm>
      <FormDialog
        title={`Set the erase policy of site ${told.site}?`}
        consequence={
          <p>
            {cannot === 0
              ? ""
              : `${formatCounted(cannot, "known drive")} cannot meet it: their hosts will stop. `}
            Reclamations in progress keep the policy that they began with.
          </p>
        }
        confirmWords="Save policy"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="reason">
          {(field) => <field.TextField label="Reason" maxLength={500} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
