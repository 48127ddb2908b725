"use client";
// Adds a webhook. Its secret is passed to the caller, which shows it once.
import { useState } from "react";
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { Check } from "@/components/ui/form/controls";
import { eventKinds, providerKinds, type EventKind } from "@/server/domain/break-fix/event-kinds";

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters"),
  url: z.string().trim().min(1, "Enter an address").refine(isAddress, "Must be an https:// address"),
  kinds: z.array(z.enum(eventKinds)).min(1, "Select an event"),
});

/** Selecting all kinds is sent as an empty list, so that kinds added in later versions are included. */
const askedKinds = (kinds: readonly EventKind[], all: readonly EventKind[]): EventKind[] =>
  kinds.length === all.length ? [] : all.filter((kind) => kinds.includes(kind));

/** Those that this person's webhooks can receive. */
function useKinds(): readonly EventKind[] {
  const { tenant } = useMe();
  return tenant === null ? eventKinds : eventKinds.filter((kind) => !providerKinds.has(kind));
}

interface KindsProps {
  readonly chosen: readonly EventKind[];
  readonly onChange: (kinds: EventKind[]) => void;
}

function Kinds({ chosen, onChange }: KindsProps) {
  const all = useKinds();
  return (
    <fieldset className="field wide">
      <legend className="text-medium">Events</legend>
      <div className="picks">
        {all.map((kind) => (
          <Check
            key={kind}
            checked={chosen.includes(kind)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, kind] : chosen.filter((other) => other !== kind))
            }
            mono
          >
            {kind}
          </Check>
        ))}
      </div>
    </fieldset>
  );
}

interface AddWebhookDialogProps {
  readonly onAdded: (shown: { readonly name: string; readonly secret: string }) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function useAddForm({ onAdded, onDone, onClose }: AddWebhookDialogProps) {
  const client = useTRPCClient();
  const all = useKinds();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState((): z.input<typeof schema> => ({
    name: "",
    url: "",
    kinds: [...all],
  }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, url, kinds } = schema.parse(value);
      return send(formApi, `The webhook ${name} is added.`, async () => {
        const { secret } = await client.webhooks.create.mutate({ name, url, kinds: askedKinds(kinds, all) });
        onAdded({ name, secret });
      });
    },
  });
  return { form, problem };
}

export function AddWebhookDialog(props: AddWebhookDialogProps) {
  const { tenant } = useMe();
  const { form, problem } = useAddForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title="Add a webhook"
        consequence={
          <p>
            It gets events from now on:{" "}
            {tenant === null ? "of all tenants and hosts" : `those of ${tenant.name}`}. The receiver verifies
            them with a secret, which is shown once.
          </p>
        }
        confirmWords="Add webhook"
        schema={schema}
        problem={problem}
        onClose={props.onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" mono />}</form.AppField>
        <form.AppField name="url">
          {(field) => (
            <field.TextField label="Address" mono placeholder="https://hooks.example.com/reclaim" />
          )}
        </form.AppField>
        <form.AppField name="kinds">
          {(field) => <Kinds chosen={field.state.value} onChange={(kinds) => field.handleChange(kinds)} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
