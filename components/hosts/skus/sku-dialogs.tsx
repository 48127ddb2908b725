"use client";
// Takes a reference host's baseline into a SKU, and deletes a SKU.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { onOff } from "@/server/domain/hosts/platform/compare";
import { formatCounted } from "@/server/domain/numbers";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import { Age } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { SkuDetail } from "@/server/surfaces/trpc/types";
import { HostChoices, hostSpec } from "@/components/hosts/skus/host-choices";
import { biosNames, bmcChosen, revisionsOf, useProposal } from "@/components/hosts/skus/use-proposal";

interface CaptureProps {
  /** With the hosts that can be the reference. */
  readonly sku: Pick<SkuDetail, "components" | "name" | "revision"> & {
    readonly hosts: readonly Pick<SkuDetail["hosts"][number], "id" | "name">[];
  };
  readonly onClose: () => void;
}

const captureSchema = z.object({
  hostId: z.string().min(1, "Select a host"),
  bios: biosNames,
  bmc: bmcChosen,
  reason: reasonText(),
});

const noChoice: Pick<z.input<typeof captureSchema>, "bios" | "bmc"> = { bios: [], bmc: [] };

export function CaptureDialog({ sku: { name, revision, hosts, components }, onClose }: CaptureProps) {
  const [hostId, setHostId] = useState(hosts[0]?.id ?? "");
  const proposal = useProposal(hostId);
  return (
    <ActFormDialog
      title={`Capture the baseline of ${name}`}
      consequence={<Captured {...proposal} isLocked={components.baseline?.lockdown === true} />}
      confirmWords="Capture baseline"
      schema={captureSchema}
      values={{ ...noChoice, hostId, reason: "" }}
      onValues={(values) => setHostId(values.hostId)}
      fields={(values, set) => ({
        hostId: hostSpec({ label: "Reference host", hosts, set }),
        bios: (
          <HostChoices
            proposal={proposal.data}
            before={components.baseline}
            chosen={values}
            onBios={(bios) => set("bios", bios)}
            onBmc={(bmc) => set("bmc", bmc)}
          />
        ),
        reason: { label: "Reason", maxLength: 500 },
      })}
      send={(input, client) =>
        client.skus.captureBaseline.mutate({
          sku: name,
          revision,
          ...revisionsOf(proposal.data),
          ...input,
        })
      }
      said={`${name} has a new baseline.`}
      stale={(trpc) => [trpc.skus]}
      onClose={onClose}
    />
  );
}

/** What would be taken from the host, and what not. */
function Captured({
  data,
  isError,
  isLocked,
}: ReturnType<typeof useProposal> & {
  /** The baseline wants hosts locked, which stays. */
  readonly isLocked: boolean;
}) {
  if (isError) return <p>The settings of the host could not be loaded.</p>;
  if (data === undefined) return <p>Loading the settings of the host…</p>;
  if (data.untrusted != null) return <p>{data.untrusted}</p>;
  const { firmware = [], lockdown } = data.baseline;
  return (
    <>
      <p>
        {data.host} has {formatCounted(firmware.length, "firmware version")}
        {lockdown === undefined || isLocked ? "" : `, and lockdown ${onOff(lockdown)}`}. Clean steps compare
        hosts with these from the next plan on.
        {isLocked ? " Lockdown stays on, as the baseline says." : ""}
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
