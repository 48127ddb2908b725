"use client";
// A site's candidate image: rollout stage, results so far, and what can be done with it.
import { Fragment, useState } from "react";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/bars/progress";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { rolloutStages, formatRollout, type Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { CandidateLine } from "@/server/surfaces/trpc/types";
import {
  MakeCurrentDialog,
  WidenDialog,
  WithdrawDialog,
} from "@/components/cleaning/images/candidate-dialogs";
import { ImageSourceFacts } from "@/components/cleaning/images/image-source";
import { ImageUseFacts } from "@/components/cleaning/images/image-use";

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
