"use client";
// Takes a reference host's baseline into a SKU, and deletes a SKU.
import { useStore } from "@tanstack/react-form";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Fields } from "@/components/ui/form/fields";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import { Age } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { SkuDetail } from "@/server/surfaces/trpc/types";
import { HostFields, hostFields } from "@/components/hosts/skus/host-fields";
import {
  biosNames,
  bmcChosen,
  noNames,
  noParts,
  revisionsOf,
  useProposal,
} from "@/components/hosts/skus/use-proposal";
import { useSendSku } from "@/components/hosts/skus/use-send-sku";

interface DialogProps {
  readonly sku: SkuDetail;
  readonly onClose: () => void;
}

const captureSchema = z.object({
  hostId: z.string().min(1, "Select a host"),
  bios: biosNames,
  bmc: bmcChosen,
  reason: reasonText(),
});

export function CaptureDialog({ sku: { name, revision, hosts, components }, onClose }: DialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSendSku(onClose);
  const form = useAppForm({
    defaultValues: { hostId: hosts[0]?.id ?? "", bios: noNames, bmc: noParts, reason: "" },
    validators: { onChange: captureSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${name} has a new baseline.`, () =>
        client.skus.captureBaseline.mutate({
          sku: name,
          revision,
          ...revisionsOf(proposal.data),
          ...captureSchema.parse(value),
        }),
      ),
  });
  const hostId = useStore(form.store, (state) => state.values.hostId);
  const proposal = useProposal(hostId);
  return (
    <form.AppForm>
      <FormDialog
        title={`Capture the baseline of ${name}`}
        consequence={<Captured {...proposal} />}
        confirmWords="Capture baseline"
        schema={captureSchema}
        problem={problem}
        onClose={onClose}
      >
        <HostFields
          form={form}
          fields={hostFields}
          label="Reference host"
          hosts={hosts}
          hasBaseline
          proposal={proposal.data}
          before={components.baseline}
        />
        <Fields form={form} fields={{ reason: { label: "Reason", maxLength: 500 } }} />
      </FormDialog>
    </form.AppForm>
  );
}

/** What would be taken from the host, and what not. */
function Captured({ data, isError }: ReturnType<typeof useProposal>) {
  if (isError) return <p>The settings of the host could not be loaded.</p>;
  if (data === undefined) return <p>Loading the settings of the host…</p>;
  const { firmware = [], lockdown } = data.baseline;
  return (
    <>
      <p>
        {data.host} has {formatCounted(firmware.length, "firmware version")}
        {lockdown === undefined ? "" : `, and lockdown ${lockdown ? "on" : "off"}`}. Clean steps compare hosts
        with these from the next plan on.
        {data.biosReadAt === null ? null : (
          <>
            {" "}
            Its BIOS was read <Age at={data.biosReadAt} /> ago.
          </>
        )}
      </p>
      {data.left.length === 0 ? null : (
        <ul aria-label="Not included">
          {data.left.map((words) => (
            <li key={words}>Not included: {words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface RemoveDialogProps {
  readonly sku: Pick<SkuDetail, "name">;
  readonly onClose: () => void;
}

export function RemoveDialog({ sku: { name }, onClose }: RemoveDialogProps) {
  const router = useRouter();
  return (
    <ActDialog
      title={`Delete ${name}?`}
      consequence="The SKU, its baseline and its priorities are deleted. No host has it."
      confirmWords={`Delete ${name}`}
      reason
      send={async ({ reason }, client) => {
        await client.skus.remove.mutate({ sku: name, reason });
        router.push(routes.skus());
      }}
      said={`SKU ${name} deleted`}
      stale={(trpc) => [trpc.skus]}
      onClose={onClose}
    />
  );
}
