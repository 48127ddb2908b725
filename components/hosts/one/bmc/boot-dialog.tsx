"use client";
// Sets how a host boots: boot device, boot mode, secure boot. Unchanged settings are not sent.
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import { deviceText, modeLabels } from "@/components/hosts/one/bmc/boot-text";
import { bootDevices, bootModes, mayOutlastBoots } from "@/server/domain/hosts/boot-settings";
import type { BootChange } from "@/server/domain/hosts/boot-settings";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface BootDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Empty: unchanged. */
const same = "";

const schema = z
  .object({
    device: z.enum([same, ...bootDevices]),
    every: z.enum(["once", "always"]),
    mode: z.enum([same, ...bootModes]),
    secureBoot: z.enum([same, "on", "off"]),
  })
  .refine(({ device, mode, secureBoot }) => device !== same || mode !== same || secureBoot !== same, {
    path: ["device"],
    error: "Select what to change",
  });

const changeOf = ({ device, every, mode, secureBoot }: z.output<typeof schema>): BootChange => ({
  ...(device === same ? {} : { device, persistent: every === "always" }),
  ...(mode === same ? {} : { mode }),
  ...(secureBoot === same ? {} : { secureBoot: secureBoot === "on" }),
});

/** The option that changes nothing shows the current value. */
const stays = (now: string | null) => ({
  value: same,
  label: now === null ? "leave as it is" : `leave as it is (${now})`,
});

/** The fields. Settings that the BMC does not offer or the state does not allow are left out; before the first reading, all are offered. */
function fieldsOf({ boot: now, state }: Pick<HostDetail, "boot" | "state">) {
  const device = {
    name: "device",
    label: "Boot device",
    options: [
      stays(now?.device == null ? null : deviceText[now.device]),
      ...(now?.devices ?? bootDevices).map((name) => ({ value: name, label: deviceText[name] })),
    ],
  } as const;
  const every = {
    name: "every",
    label: "Boot device applies to",
    options: [
      { value: "once", label: "the next boot" },
      { value: "always", label: "every boot, until Reclaim orders one" },
    ],
  } as const;
  const mode = {
    name: "mode",
    label: "Boot mode",
    options: [
      stays(now?.mode == null ? null : modeLabels[now.mode]),
      ...bootModes.map((name) => ({ value: name, label: modeLabels[name] })),
    ],
  } as const;
  const secureBoot = {
    name: "secureBoot",
    label: "Secure boot",
    options: [
      stays(now?.secureBoot == null ? null : now.secureBoot ? "on" : "off"),
      { value: "on", label: "on" },
      { value: "off", label: "off" },
    ],
  } as const;
  if (!mayOutlastBoots(state)) return [device, every];
  return [
    device,
    every,
    ...(now !== null && now.mode === null ? [] : [mode]),
    ...(now !== null && now.secureBoot === null ? [] : [secureBoot]),
  ];
}

export function BootDialog({ host, action, onClose, onDone }: BootDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { device: "", every: "once", mode: "", secureBoot: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${action.words}: requested on ${host.name}`, () =>
        client.host.setBoot.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          ...changeOf(schema.parse(value)),
        }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={schema} problem={problem} onClose={onClose}>
        {fieldsOf(host).map(({ name, label, options }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.SelectField label={label} options={[...options]} />}
          </form.AppField>
        ))}
      </FormDialog>
    </form.AppForm>
  );
}
