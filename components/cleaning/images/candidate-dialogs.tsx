"use client";
// Dialogs for a candidate image, each stating its consequence: widen the rollout, make it current, withdraw it.
import { z } from "zod";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { rolloutStages, formatRollout, type Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { CandidateLine } from "@/server/surfaces/trpc/types";
import { proposedStage, rolloutFrom, stageFault, textOf } from "@/components/cleaning/images/next-stage";

interface DialogProps {
  readonly image: CandidateLine;
  readonly onClose: () => void;
}

const sizeLabels = { few: "Hosts", share: "Percentage of hosts" } as const;
const stageChoices = {
  few: "more hosts",
  share: "a percentage of hosts",
  all: "all hosts",
} as const satisfies Record<Rollout["stage"], string>;

/** This stage and the next: a rollout never skips a stage. */
const nextStages = (rollout: Rollout): readonly Rollout["stage"][] => {
  const at = rolloutStages.indexOf(rollout.stage);
  return rolloutStages.slice(at, at + 2);
};

const widenSchema = z
  .object({ stage: z.enum(rolloutStages), size: z.string() })
  .transform(({ stage, size }, context): Rollout => {
    const rollout = rolloutFrom({ stage, text: size });
    if (rollout !== null) return rollout;
    context.addIssue({ code: "custom", path: ["size"], message: stageFault(stage) });
    return z.NEVER;
  });

/** Prefilled with the next stage. */
export function WidenDialog({ image, onClose }: DialogProps) {
  const proposed = proposedStage(image.rollout) ?? image.rollout;
  return (
    <ActFormDialog
      title={`Roll ${image.version} out further?`}
      consequence={<HowItGoes image={image} />}
      confirmWords={(values) => {
        const rollout = widenSchema.safeParse(values).data;
        return rollout === undefined ? "Roll out" : `Roll out to ${formatRollout(rollout)}`;
      }}
      schema={widenSchema}
      values={{ stage: proposed.stage, size: textOf(proposed) }}
      fields={({ stage }) => ({
        stage: {
          label: "To",
          options: nextStages(image.rollout).map((value) => ({ value, label: stageChoices[value] })),
        },
        size: stage === "all" ? null : { label: sizeLabels[stage], inputMode: "numeric", short: true },
      })}
      send={(rollout, client) => client.images.widen.mutate({ imageId: image.id, rollout })}
      said={(_, rollout) => `Image ${image.version} goes to ${formatRollout(rollout)}.`}
      stale={(trpc) => [trpc.images]}
      onClose={onClose}
    />
  );
}

function HowItGoes({ image: { rollout, use } }: { image: CandidateLine }) {
  const { given, cameUp, failed } = use;
  return (
    <p>
      Current rollout: {formatRollout(rollout)}. {given} booted it, it came up on {cameUp},{" "}
      {failed === 0 ? "none of them has failed" : `${failed} of them ${failed === 1 ? "has" : "have"} failed`}
      . Hosts get it at their next boot; a host that has it keeps it.
    </p>
  );
}

export const MakeCurrentDialog = ({ image, onClose }: DialogProps) => (
  <ActDialog
    title={`Make ${image.version} the current image?`}
    consequence="Every host at the site boots this image, including hosts on which it did not come up as a candidate. The previous image is kept as replaced; to go back, add an image with its address and roll that out."
    confirmWords="Make current"
    send={(_, client) => client.images.makeCurrent.mutate({ imageId: image.id })}
    said={`Image ${image.version} is now the current image.`}
    stale={(trpc) => [trpc.images]}
    onClose={onClose}
  />
);

export const WithdrawDialog = ({ image, onClose }: DialogProps) => (
  <ActDialog
    title={`Withdraw ${image.version}?`}
    consequence="No host boots it any more. Hosts that run it keep it until their next boot. The version cannot be reused: give a fixed image a new version."
    confirmWords={`Withdraw ${image.version}`}
    reason
    send={({ reason }, client) => client.images.withdraw.mutate({ imageId: image.id, reason })}
    said={`Image ${image.version} is withdrawn.`}
    stale={(trpc) => [trpc.images]}
    onClose={onClose}
  />
);
