"use client";
// Sets how a host boots: boot device, boot mode, secure boot. Unchanged settings are not sent.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { askText } from "@/components/hosts/one/ask-text";
import type { HostDialogProps } from "@/components/hosts/one/host-dialogs";
import { deviceText, modeLabels } from "@/components/hosts/one/bmc/boot-text";
import { bootDevices, bootModes, mayOutlastBoots } from "@/server/domain/hosts/boot-settings";
import type { BootChange } from "@/server/domain/hosts/boot-settings";
import type { HostDetail } from "@/server/surfaces/trpc/types";

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

/** Settings that the BMC does not offer or the state does not allow are left out; before the first reading, all are offered. */
function fieldsOf({ boot: now, state }: Pick<HostDetail, "boot" | "state">) {
  const lasting = mayOutlastBoots(state);
  return {
    device: {
      label: "Boot device",
      options: [
        stays(now?.device == null ? null : deviceText[now.device]),
        ...(now?.devices ?? bootDevices).map((name) => ({ value: name, label: deviceText[name] })),
      ],
    },
    every: {
      label: "Boot device applies to",
      options: [
        { value: "once", label: "the next boot" },
        { value: "always", label: "every boot, until Reclaim orders one" },
      ],
    },
    mode:
      !lasting || now?.mode === null
        ? null
        : {
            label: "Boot mode",
            options: [
              stays(now === null ? null : modeLabels[now.mode]),
              ...bootModes.map((name) => ({ value: name, label: modeLabels[name] })),
            ],
          },
    secureBoot:
      !lasting || now?.secureBoot === null
        ? null
        : {
            label: "Secure boot",
            options: [
              stays(now === null ? null : now.secureBoot ? "on" : "off"),
              { value: "on", label: "on" },
              { value: "off", label: "off" },
            ],
          },
  };
}

export const BootDialog = ({ host, action, ...rest }: HostDialogProps) => (
  <ActFormDialog
    {...askText(host, action)}
    schema={schema}
    values={{ device: same, every: "once", mode: same, secureBoot: same }}
    fields={fieldsOf(host)}
    send={(change, client) =>
      client.host.setBoot.mutate({
        hostId: host.id,
        stateVersion: host.stateVersion,
        ...changeOf(change),
      })
    }
    said={`${action.words}: requested on ${host.name}`}
    {...rest}
  />
);
