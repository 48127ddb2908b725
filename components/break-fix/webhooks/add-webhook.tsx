"use client";
// Adds a webhook. Its secret is passed to the caller, which shows it once.
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
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

interface KindsProps {
  readonly all: readonly EventKind[];
  readonly chosen: readonly EventKind[];
  readonly onChange: (kinds: EventKind[]) => void;
}

const Kinds = ({ all, chosen, onChange }: KindsProps) => (
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

interface AddWebhookDialogProps {
  readonly onAdded: (shown: { readonly name: string; readonly secret: string }) => void;
  readonly onClose: () => void;
}

export function AddWebhookDialog({ onAdded, onClose }: AddWebhookDialogProps) {
  const { tenant } = useMe();
  /** Those that this person's webhooks can receive. */
  const all = tenant === null ? eventKinds : eventKinds.filter((kind) => !providerKinds.has(kind));
  return (
    <ActFormDialog
      title="Add a webhook"
      consequence={`It gets events from now on: ${
        tenant === null ? "of all tenants and hosts" : `those of ${tenant.name}`
      }. The receiver verifies them with a secret, which is shown once.`}
      confirmWords="Add webhook"
      schema={schema}
      values={{ name: "", url: "", kinds: [...all] }}
      fields={({ kinds }, set) => ({
        name: { label: "Name", mono: true },
        url: { label: "Address", mono: true, placeholder: "https://hooks.example.com/reclaim" },
        kinds: <Kinds all={all} chosen={kinds} onChange={(next) => set("kinds", next)} />,
      })}
      send={async ({ name, url, kinds }, client) => {
        const { secret } = await client.webhooks.create.mutate({ name, url, kinds: askedKinds(kinds, all) });
        onAdded({ name, secret });
      }}
      said={(_, { name }) => `The webhook ${name} is added.`}
      stale={(trpc) => [trpc.webhooks]}
      onClose={onClose}
    />
  );
}
