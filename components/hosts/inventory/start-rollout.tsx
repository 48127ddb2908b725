"use client";
// The dialog that requests a firmware rollout (docs/platform.md#firmware-rollouts).
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText, typedValue } from "@/components/ui/form/schemas";
import { firmwareImage, readStage } from "@/server/domain/hosts/platform/rollout";
import type { FirmwareImage, RolloutStage } from "@/server/domain/hosts/platform/rollout";

/** "BIOS | 1.9.2 | http://… | SHA-256", one per line. Exported for its test. */
export function imagesFrom(text: string): FirmwareImage[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const images = lines.map((line) => {
    const [component, version, url, checksum, ...more] = line.split("|").map((part) => part.trim());
    return more.length > 0
      ? undefined
      : firmwareImage.safeParse({ component, version, url, checksum: checksum?.toLowerCase() }).data;
  });
  const known = images.filter((image) => image !== undefined);
  return lines.length > 0 && known.length === lines.length ? known : undefined;
}

/** "1, 10%, 100%". */
function stagesFrom(text: string): RolloutStage[] | undefined {
  const stages = text.split(",").map(readStage);
  const known = stages.filter((stage) => stage !== null);
  const last = known.at(-1);
  return known.length === stages.length && last !== undefined && "percent" in last && last.percent === 100
    ? known
    : undefined;
}

const failuresFrom = (text: string): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : undefined;

const schema = z.object({
  sku: z.string().trim().min(1, "Enter the name of a SKU"),
  images: typedValue(
    imagesFrom,
    "Enter component, version, address and SHA-256 of each file, separated by |, one file per line",
  ),
  stages: typedValue(stagesFrom, "Enter numbers of hosts and percentages; the last one is 100%"),
  maxFailures: typedValue(failuresFrom, "Enter a whole number from 1"),
  reason: reasonText(),
});

const empty: z.input<typeof schema> = {
  ...{ sku: "", images: "", stages: "1, 10%, 100%", maxFailures: "1", reason: "" },
};

export const StartRollout = ({ whyNot }: { readonly whyNot: string | undefined }) => (
  <DialogButton
    disabledReason={whyNot}
    dialog={(onClose) => (
      <ActFormDialog
        title="Start a firmware rollout"
        consequence="Another person has to approve it. Then hosts of the SKU take the new firmware when they are cleaned, first come, first served, as far as the open stage allows. All others keep the firmware that the SKU's baseline names now. You open each further stage."
        confirmWords="Request the rollout"
        schema={schema}
        values={empty}
        fields={{
          sku: { label: "SKU", short: true },
          images: {
            label: "Files",
            aside: "component | version | address | SHA-256",
            hint: "The BMC fetches each file from its address. Components must be named by the SKU's baseline.",
            rows: 4,
            mono: true,
          },
          stages: { label: "Stages", aside: "hosts, or per cent of the SKU's hosts", short: true },
          maxFailures: {
            label: "Failed hosts until it pauses",
            inputMode: "numeric",
            short: true,
          },
          reason: reasonField(),
        }}
        send={(input, client) => client.rollouts.start.mutate(input)}
        said={(_, { sku }) => `The rollout of ${sku} waits for another person's approval.`}
        stale={(trpc) => [trpc.rollouts, trpc.approvals]}
        onClose={onClose}
      />
    )}
  >
    Start a rollout…
  </DialogButton>
);
