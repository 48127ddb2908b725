"use client";
// Sets where a host is: rack and slot for people, segment and power domain for the admission limits.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface PlaceDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Empty: none. */
const part = z
  .string()
  .trim()
  .max(64, "At most 64 characters")
  .transform((text) => (text === "" ? null : text));
const schema = z.object({ rack: part, slot: part, segment: part, powerDomain: part });

const fields = [
  { name: "rack", label: "Rack", hint: undefined },
  { name: "slot", label: "Slot", hint: undefined },
  {
    name: "segment",
    label: "Network segment",
    hint: "network it boots in; boots per minute are limited per segment",
  },
  {
    name: "powerDomain",
    label: "Power domain",
    hint: "hosts on one power supply; the number cleaned at once is limited",
  },
] as const;

export function PlaceDialog({ host, action, onClose, onDone }: PlaceDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [texts] = useState({
    rack: host.rack ?? "",
    slot: host.slot ?? "",
    segment: host.segment ?? "",
    powerDomain: host.powerDomain ?? "",
  });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Place of ${host.name} saved`, () =>
        client.host.setPlace.mutate({ hostId: host.id, place: schema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={schema} problem={problem} onClose={onClose}>
        {fields.map(({ name, label, hint }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.TextField label={label} hint={hint} />}
          </form.AppField>
        ))}
      </FormDialog>
    </form.AppForm>
  );
}
