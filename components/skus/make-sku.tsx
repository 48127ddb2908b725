"use client";
// Makes a SKU from one of several like hosts.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import type { SkuClusterLine } from "@/server/surfaces/trpc/types";
import { cpuWords, drivesWords } from "@/components/skus/sku-words";
import { useSendSku } from "@/components/skus/use-send-sku";

interface MakeSkuProps {
  readonly cluster: SkuClusterLine;
  /** Why this person may not. */
  readonly whyNot: string | undefined;
}

export function MakeSku({ cluster, whyNot }: MakeSkuProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small disabledReason={whyNot} onClick={() => setOpen(true)}>
        Make SKU…
      </Button>
      {open ? <MakeSkuDialog cluster={cluster} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128),
  hostId: z.string().min(1, "Select a host"),
  baseline: z.boolean(),
  reason: reasonText(),
});

function MakeSkuDialog({ cluster, onClose }: { cluster: SkuClusterLine; onClose: () => void }) {
  const client = useTRPCClient();
  const { send, problem } = useSendSku(onClose);
  // What the person saw when the dialog opened: later readings of the page do not move it.
  const [{ name, count, hosts, components }] = useState(cluster);
  const form = useAppForm({
    defaultValues: { name, hostId: hosts[0]?.id ?? "", baseline: false, reason: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        (made) => `SKU ${made.name} was made. Hosts that wait for a SKU are matched.`,
        () => client.skus.createFromHost.mutate({ ...schema.parse(value), priorities: {} }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Make a SKU from a host"
        consequence={
          <p>
            {components.manufacturer} {components.product}, {cpuWords(components)}, drives:{" "}
            {drivesWords(components)}. {formatCounted(count, "host")} without a SKU{" "}
            {count === 1 ? "matches" : "match"} it: those that wait for a SKU get it at once, others with
            their next inventory.
          </p>
        }
        confirmWords="Make the SKU"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" maxLength={128} />}
        </form.AppField>
        <form.AppField name="hostId">
          {(field) => (
            <field.SelectField
              label="Host"
              options={hosts.map((host) => ({ value: host.id, label: host.name }))}
            />
          )}
        </form.AppField>
        <form.AppField name="baseline">
          {(field) => (
            <field.CheckField
              label="Capture baseline"
              aside="firmware versions and lockdown of this host; hosts that were cleaned without it are cleaned once more"
            />
          )}
        </form.AppField>
        <form.AppField name="reason">
          {(field) => <field.TextField label="Reason" maxLength={500} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
