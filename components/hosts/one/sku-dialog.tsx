"use client";
// Assigns the SKU that a host is compared with.
import { useSuspenseQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface SkuDialogProps {
  host: HostDetail;
  action: HostAction;
  onClose: () => void;
  onDone: () => void;
}

export function SkuDialog({ host, action, onClose, onDone }: SkuDialogProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const assigned = host.sku ?? "";
  const schema = z.object({
    sku: z.string().refine((sku) => sku !== assigned, "Select another SKU"),
    reason: reasonText(),
  });
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { sku: assigned, reason: "" },
    validators: { onChange: schema },
    onSubmit: ({ value: { sku, reason }, formApi }) =>
      send(formApi, `SKU of ${host.name} changed`, () =>
        client.host.assignSku.mutate({ hostId: host.id, sku: sku === "" ? null : sku, reason }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={schema} problem={problem} onClose={onClose}>
        <form.AppField name="sku">
          {(field) => (
            <field.SelectField
              label="SKU"
              options={[
                { value: "", label: "none" },
                ...data.skus.map(({ name }) => ({ value: name, label: name })),
              ]}
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
