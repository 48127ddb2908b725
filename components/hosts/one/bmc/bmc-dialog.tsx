"use client";
// Changes how a host's BMC is reached. An empty field keeps its value: passwords are never shown.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import { keptText } from "@/server/domain/hardware/bmc-system";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface BmcDialogProps {
  readonly host: Pick<HostDetail, "id" | "name" | "bmcAddress" | "bmcSystem" | "bmcUsername" | "serial">;
  readonly action: Pick<HostAction, "words" | "consequence">;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const optional = z
  .string()
  .trim()
  .transform((text) => (text === "" ? undefined : text));
const schema = z.object({
  address: z.string().trim().min(1, "Enter the address of the BMC"),
  system: optional,
  username: z.string().trim().min(1, "Enter a user"),
  password: z.string().transform((text) => (text === "" ? undefined : text)),
  certificate: optional,
  expectedSerial: optional,
  macs: z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter((mac) => mac !== ""))
    .transform((macs) => (macs.length === 0 ? undefined : macs)),
});

const fields = [
  { name: "username", label: "User", mono: true },
  { name: "password", label: "Password", aside: "leave empty to keep", type: "password" },
  {
    name: "certificate",
    label: "Certificate",
    aside: "expected SHA-256; leave empty to keep",
    mono: true,
  },
] as const;

interface Saved {
  readonly others: readonly string[];
}

export function BmcDialog({ host, action, onClose, onDone }: BmcDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [texts] = useState({
    address: host.bmcAddress ?? "",
    system: "",
    username: host.bmcUsername ?? "",
    password: "",
    certificate: "",
    expectedSerial: "",
    macs: "",
  });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        ({ others }: Saved) => [`BMC of ${host.name} saved`, ...keptText(others)].join(". "),
        () => client.host.setBmc.mutate({ hostId: host.id, ...schema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={schema} problem={problem} onClose={onClose}>
        <form.AppField name="address">
          {(field) => <field.TextField label="Address" hint="https:// may be left out" mono />}
        </form.AppField>
        <form.AppField name="system">
          {(field) => (
            <field.TextField
              label="System"
              aside={
                host.bmcSystem === null
                  ? "path, if the BMC has several; leave empty to keep"
                  : `empty: ${host.bmcSystem}`
              }
              mono
            />
          )}
        </form.AppField>
        {fields.map(({ name, ...look }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.TextField {...look} />}
          </form.AppField>
        ))}
        {host.serial === null ? (
          <form.AppField name="expectedSerial">
            {(field) => (
              <field.TextField label="Serial" aside="that the BMC must report; leave empty to keep" mono />
            )}
          </form.AppField>
        ) : null}
        <form.AppField name="macs">
          {(field) => <field.TextField label="MACs to add" hint="if the BMC lists no network cards" mono />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
