"use client";
// Takes the baseline of a reference host into a SKU, and deletes a SKU.
import { useQuery } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { routes } from "@/server/domain/console/routes";
import type { SkuDetail } from "@/server/surfaces/trpc/types";
import { useSendSku } from "@/components/skus/use-send-sku";

interface DialogProps {
  readonly sku: SkuDetail;
  readonly onClose: () => void;
}

const captureSchema = z.object({ hostId: z.string().min(1, "Select a host"), reason: reasonText() });

export function CaptureDialog({ sku: { name, revision, hosts }, onClose }: DialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSendSku(onClose);
  const form = useAppForm({
    defaultValues: { hostId: hosts[0]?.id ?? "", reason: "" },
    validators: { onChange: captureSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${name} has a new baseline.`, () =>
        client.skus.captureBaseline.mutate({ sku: name, revision, ...captureSchema.parse(value) }),
      ),
  });
  const hostId = useStore(form.store, (state) => state.values.hostId);
  return (
    <form.AppForm>
      <FormDialog
        title={`Capture the baseline of ${name}`}
        consequence={<Captured hostId={hostId} />}
        confirmWords="Capture baseline"
        schema={captureSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="hostId">
          {(field) => (
            <field.SelectField
              label="Reference host"
              options={hosts.map((host) => ({ value: host.id, label: host.name }))}
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

/** What would be taken from the host, and what not. */
function Captured({ hostId }: { hostId: string }) {
  const trpc = useTRPC();
  const { data, isError } = useQuery(trpc.skus.propose.queryOptions({ hostId }, { enabled: hostId !== "" }));
  if (isError) return <p>What the host has could not be read.</p>;
  if (data === undefined) return <p>Reading what the host has…</p>;
  const { firmware = [], lockdown } = data.baseline;
  return (
    <>
      <p>
        {data.host} has {formatCounted(firmware.length, "firmware version")}
        {lockdown === undefined ? "" : `, and lockdown ${lockdown ? "on" : "off"}`}. Clean steps compare hosts
        with them from the next plan on.
      </p>
      {data.left.length === 0 ? null : (
        <ul aria-label="Not taken">
          {data.left.map((words) => (
            <li key={words}>Not taken: {words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const removeSchema = z.object({ reason: reasonText() });

export function RemoveDialog({ sku: { name }, onClose }: DialogProps) {
  const client = useTRPCClient();
  const router = useRouter();
  const { send, problem } = useSendSku(onClose);
  const form = useAppForm({
    defaultValues: { reason: "" },
    validators: { onChange: removeSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `SKU ${name} was deleted.`, async () => {
        const removed = await client.skus.remove.mutate({ sku: name, ...removeSchema.parse(value) });
        router.push(routes.skus());
        return removed;
      }),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Delete ${name}?`}
        consequence={<p>The SKU, its baseline and its priorities are deleted. No host has it.</p>}
        confirmWords={`Delete ${name}`}
        schema={removeSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="reason">
          {(field) => <field.TextField label="Reason" maxLength={500} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
