"use client";
// Creates a SKU from one of several similar hosts.
import { useState } from "react";
import { z } from "zod";
import { formatCounted } from "@/components/ui/format/numbers";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import type { SkuClusterLine } from "@/server/surfaces/trpc/types";
import { chooseNone, HostChoices, hostSpec } from "@/components/hosts/skus/host-choices";
import { biosNames, bmcChosen, revisionsOf, useProposal } from "@/components/hosts/skus/use-proposal";
import { formatCpu, formatDrives } from "@/components/hosts/skus/sku-text";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128),
  hostId: z.string().min(1, "Select a host"),
  baseline: z.boolean(),
  bios: biosNames,
  bmc: bmcChosen,
  reason: reasonText(),
});

const start: Omit<z.input<typeof schema>, "name" | "hostId"> = {
  ...{ baseline: false, bios: [], bmc: [], reason: "" },
};

interface MakeSkuProps {
  readonly cluster: SkuClusterLine;
  readonly onClose: () => void;
}

/** Rendered beside the table, not in a row: rows come and go, and change when the window becomes narrow. */
export function MakeSkuDialog({ cluster, onClose }: MakeSkuProps) {
  // The group as it was when the dialog opened; refetches do not change it.
  const [seen] = useState(cluster);
  /** The host whose baseline is captured; empty: none. */
  const [reference, setReference] = useState("");
  const proposal = useProposal(reference).data;
  return (
    <ActFormDialog
      title="Create a SKU from a host"
      consequence={<Consequence {...seen} />}
      confirmWords="Create SKU"
      schema={schema}
      values={{ ...start, name: seen.name, hostId: seen.hosts[0]?.id ?? "" }}
      onValues={({ baseline, hostId }) => setReference(baseline ? hostId : "")}
      fields={(values, set) => ({
        name: { label: "Name", maxLength: 128 },
        hostId: hostSpec({ label: "Host", hosts: seen.hosts, set }),
        baseline: {
          label: "Capture baseline",
          aside:
            "firmware versions, lockdown and the selected settings of this host; hosts cleaned without the baseline are cleaned again",
          onChosen: () => chooseNone(set),
        },
        bios:
          reference === "" || proposal === undefined ? null : (
            <HostChoices
              proposal={proposal}
              before={undefined}
              chosen={values}
              onBios={(bios) => set("bios", bios)}
              onBmc={(bmc) => set("bmc", bmc)}
            />
          ),
        reason: { label: "Reason", maxLength: 500 },
      })}
      send={(input, client) =>
        client.skus.createFromHost.mutate({ ...input, ...revisionsOf(proposal), priorities: {} })
      }
      said={(made) => `SKU ${made.name} created. Waiting hosts are matched with it.`}
      stale={(trpc) => [trpc.skus]}
      onClose={onClose}
    />
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
