"use client";
// A site's candidate image: rollout stage, results so far, and what can be done with it.
import { Fragment, useState } from "react";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/bars/progress";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { formatRollout, type Rollout, rolloutStages } from "@/server/domain/cleaning/images/image-rollout";
import type { CandidateLine } from "@/server/surfaces/trpc/types";
import { ImageSourceFacts } from "@/components/cleaning/images/image-source";
import { ImageUseFacts } from "@/components/cleaning/images/image-use";
import { z } from "zod";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { proposedStage, rolloutFrom, stageFault, textOf } from "@/components/cleaning/images/next-stage";

// Dialogs for a candidate image, each stating its consequence: widen the rollout, make it current, withdraw it.
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
function WidenDialog({ image, onClose }: DialogProps) {
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

const MakeCurrentDialog = ({ image, onClose }: DialogProps) => (
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

const WithdrawDialog = ({ image, onClose }: DialogProps) => (
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

interface CandidateSectionProps {
  readonly image: CandidateLine;
  /** Why this user may not roll it out. */
  readonly whyNot: string | undefined;
  readonly whyNotWithdraw: string | undefined;
}

const stageText = { few: "a few", share: "a percentage", all: "all" } as const;

export function CandidateSection({ image, whyNot, whyNotWithdraw }: CandidateSectionProps) {
  const { rollout, use, braked } = image;
  return (
    <>
      {braked === null ? null : (
        <Notice tone="attention">
          <b className="text-medium">A brake is on this image.</b> {braked} No host boots it until the brake
          is lifted; hosts that have it boot the current image at their next boot.
        </Notice>
      )}
      <dl className="pairs">
        <dt>Version</dt>
        <dd>
          <b className="text-medium">{image.version}</b>, added <Time at={image.createdAt} />
          {image.createdBy === null ? "" : ` by ${image.createdBy}`}
        </dd>
        <ImageSourceFacts image={image} />
        <dt>Rollout</dt>
        <dd>
          <RolloutStage rollout={rollout} />
        </dd>
        <ImageUseFacts use={use} />
      </dl>
      {use.failed === 0 || braked !== null ? null : (
        <p className="marked-text image-look">
          <Mark tone="attention" label="" />
          <span>Check the failed hosts before you roll it out further.</span>
        </p>
      )}
      <CandidateActs image={image} whyNot={whyNot} whyNotWithdraw={whyNotWithdraw} />
    </>
  );
}

/** The current rollout stage among all stages. */
function RolloutStage({ rollout }: { rollout: Rollout }) {
  return (
    <>
      {formatRollout(rollout)}
      {rollout.stage === "share" ? (
        <>
          {" "}
          <Progress percent={rollout.percent} />
        </>
      ) : null}
      <span className="text-quiet">
        {" "}
        (
        {rolloutStages.map((stage, index) => (
          <Fragment key={stage}>
            {index === 0 ? "" : ", then "}
            <span className={stage === rollout.stage ? "text-medium text-strong" : undefined}>
              {stageText[stage]}
            </span>
          </Fragment>
        ))}
        )
      </span>
    </>
  );
}

/** Why the rollout cannot be widened now; undefined if it can. */
function whyNotWider({ rollout, use, braked }: CandidateLine): string | undefined {
  if (braked !== null) return "A brake is on this image";
  if (rollout.stage === "all") return "Already rolled out to all hosts";
  return rollout.stage === "few" && use.cameUp === 0 ? "It has not come up on any host yet" : undefined;
}

const dialogs = { widen: WidenDialog, current: MakeCurrentDialog, withdraw: WithdrawDialog } as const;

function CandidateActs({ image, whyNot, whyNotWithdraw }: CandidateSectionProps) {
  const [asked, setAsked] = useState<keyof typeof dialogs>();
  const Asked = asked === undefined ? undefined : dialogs[asked];
  return (
    <>
      <div className="acts left image-acts">
        <Button disabledReason={whyNot ?? whyNotWider(image)} onClick={() => setAsked("widen")}>
          Roll out further…
        </Button>
        <Button
          kind="main"
          disabledReason={whyNot ?? image.currentRefusal ?? undefined}
          onClick={() => setAsked("current")}
        >
          Make current…
        </Button>
        <Button disabledReason={whyNotWithdraw} onClick={() => setAsked("withdraw")}>
          Withdraw…
        </Button>
      </div>
      {Asked === undefined ? null : <Asked image={image} onClose={() => setAsked(undefined)} />}
    </>
  );
}
