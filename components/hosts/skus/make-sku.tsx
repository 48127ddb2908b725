"use client";
// Creates a SKU from one of several similar hosts.
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Fields } from "@/components/ui/form/fields";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import type { SkuClusterLine } from "@/server/surfaces/trpc/types";
import { HostFields, hostFields } from "@/components/hosts/skus/host-fields";
import {
  biosNames,
  bmcChosen,
  noNames,
  noParts,
  revisionsOf,
  useProposal,
} from "@/components/hosts/skus/use-proposal";
import { formatCpu, formatDrives } from "@/components/hosts/skus/sku-text";
import { useSendSku } from "@/components/hosts/skus/use-send-sku";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128),
  hostId: z.string().min(1, "Select a host"),
  baseline: z.boolean(),
  bios: biosNames,
  bmc: bmcChosen,
  reason: reasonText(),
});

interface MakeSkuProps {
  readonly cluster: SkuClusterLine;
  readonly onClose: () => void;
}

function useMakeSku({ name, hosts }: SkuClusterLine, onClose: () => void) {
  const client = useTRPCClient();
  const { send, problem } = useSendSku(onClose);
  const form = useAppForm({
    defaultValues: {
      name,
      hostId: hosts[0]?.id ?? "",
      baseline: false,
      bios: noNames,
      bmc: noParts,
      reason: "",
    },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        (made) => `SKU ${made.name} created. Waiting hosts are matched with it.`,
        () =>
          client.skus.createFromHost.mutate({
            ...schema.parse(value),
            ...revisionsOf(proposal.data),
            priorities: {},
          }),
      ),
  });
  const reference = useStore(form.store, ({ values }) => (values.baseline ? values.hostId : ""));
  const proposal = useProposal(reference);
  return { form, problem, proposal: reference === "" ? undefined : proposal.data };
}

/** Rendered beside the table, not in a row: rows come and go, and change when the window becomes narrow. */
export function MakeSkuDialog({ cluster, onClose }: MakeSkuProps) {
  // The group as it was when the dialog opened; refetches do not change it.
  const [seen] = useState(cluster);
  const { form, problem, proposal } = useMakeSku(seen, onClose);
  const chooseNone = () => {
    form.setFieldValue("bios", noNames);
    form.setFieldValue("bmc", noParts);
  };
  return (
    <form.AppForm>
      <FormDialog
        title="Create a SKU from a host"
        consequence={<Consequence {...seen} />}
        confirmWords="Create SKU"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <Fields form={form} fields={{ name: { label: "Name", maxLength: 128 } }} />
        <HostFields
          form={form}
          fields={hostFields}
          label="Host"
          hosts={seen.hosts}
          hasBaseline={proposal !== undefined}
          proposal={proposal}
          before={undefined}
        >
          <form.AppField name="baseline" listeners={{ onChange: chooseNone }}>
            {(field) => (
              <field.CheckField
                label="Capture baseline"
                aside="firmware versions, lockdown and the selected settings of this host; hosts cleaned without the baseline are cleaned again"
              />
            )}
          </form.AppField>
        </HostFields>
        <Fields form={form} fields={{ reason: { label: "Reason", maxLength: 500 } }} />
      </FormDialog>
    </form.AppForm>
  );
}

function Consequence({ components, count }: SkuClusterLine) {
  return (
    <p>
      {components.manufacturer} {components.product}, {formatCpu(components)}, drives:{" "}
      {formatDrives(components)}. {formatCounted(count, "host")} without a SKU{" "}
      {count === 1 ? "matches" : "match"} it: those that wait for a SKU get it at once, others with their next
      inventory.
    </p>
  );
}
