"use client";
// Requests a bundle of what a host's boot measured (docs/adr/0150-measured-boot.md).
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText, typedValue } from "@/components/ui/form/schemas";
import { readRegisters } from "@/server/domain/attestation/measurement-text";
import type { HostAttestationView, HostDetail } from "@/server/surfaces/trpc/types";

interface PromoteDialogProps {
  readonly host: Pick<HostDetail, "id" | "name">;
  readonly measured: Pick<NonNullable<HostAttestationView["measurement"]>, "bootEpoch" | "values">;
  readonly digest: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const schema = z.object({
  name: z.string().trim().min(1, "Give it a name").max(128, "At most 128 characters"),
  pcrs: typedValue(readRegisters, "Enter numbers of registers, separated by commas"),
  reason: reasonText(),
});

export const PromoteDialog = ({ host, measured, digest, onClose, onDone }: PromoteDialogProps) => (
  <ActFormDialog
    title={`Promote what boot ${measured.bootEpoch} of ${host.name} measured?`}
    consequence="Another person has to approve it. Then every host of the same manufacturer, model and site that measures these values counts as measured, whoever started it. Look at what booted before you ask."
    confirmWords="Request the bundle"
    schema={schema}
    values={{ name: "", pcrs: measured.values.map(({ pcr }) => pcr).join(", "), reason: "" }}
    fields={{
      name: { label: "Name", hint: "For example, the model, its firmware and the agent image." },
      pcrs: {
        label: "Registers",
        hint: "Leave out those that differ between hosts which are as they should be, such as 1 and 5. A register that is left out may have any value. 4 and 9 are the program, and must stay.",
      },
      reason: reasonField(),
    }}
    send={(input, client) => client.attestation.promote.mutate({ ...input, hostId: host.id, digest })}
    said={(_, { name }) => `The bundle ${name} waits for another person's approval.`}
    stale={(trpc) => [trpc.attestation, trpc.approvals]}
    onClose={onClose}
    onDone={onDone}
  />
);
