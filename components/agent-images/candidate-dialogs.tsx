"use client";
// What a person may do with a candidate, each asked for with its consequence: roll it out further, make it current, withdraw it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSay } from "@/components/ui/toast";
import { rolloutStages, rolloutWords, type Rollout } from "@/server/domain/cleaning/image-rollout";
import type { CandidateLine } from "@/server/surfaces/trpc/types";
import { proposedStage, rolloutFrom, stageFault, textOf } from "@/components/agent-images/next-stage";

interface DialogProps {
  readonly image: CandidateLine;
  readonly onClose: () => void;
}

/** What is done after an act on an image: the page is read again, and the person is told. */
function useDone(onClose: () => void) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  return async (words: string) => {
    say(words);
    onClose();
    await client.invalidateQueries({ queryKey: trpc.images.pathKey() });
  };
}

const stageNames = { few: "Hosts", share: "Share of the hosts, %", all: "" } as const satisfies Record<
  Rollout["stage"],
  string
>;
const stageChoices = { few: "more of a few", share: "a share", all: "all hosts" } as const satisfies Record<
  Rollout["stage"],
  string
>;

/** Only this stage and the next: an image never skips one. */
const nextStages = (rollout: Rollout): readonly Rollout["stage"][] => {
  const at = rolloutStages.indexOf(rollout.stage);
  return rolloutStages.slice(at, at + 2);
};

export function WidenDialog({ image, onClose }: DialogProps) {
  const trpc = useTRPC();
  const done = useDone(onClose);
  const [proposed] = useState<Rollout>(() => proposedStage(image.rollout) ?? image.rollout);
  const [stage, setStage] = useState(proposed.stage);
  const [text, setText] = useState(() => textOf(proposed));
  const rollout = rolloutFrom({ stage, text });
  const widen = useMutation(
    trpc.images.widen.mutationOptions({
      onSuccess: () =>
        done(`Image ${image.version} goes to ${rollout === null ? "more hosts" : rolloutWords(rollout)}.`),
    }),
  );
  const { given, cameUp, failed } = image.use;
  const ids = useId();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Roll ${image.version} out further?`}
      consequence={
        <p>
          It goes to {rolloutWords(image.rollout)} now: {given} booted it, it came up on {cameUp},{" "}
          {failed === 0
            ? "none of them has failed"
            : `${failed} of them ${failed === 1 ? "has" : "have"} failed`}
          . Hosts get it at their next boot; a host that has it keeps it.
        </p>
      }
      field={
        <>
          <div className="field">
            <label htmlFor={`${ids}-stage`}>To</label>
            <div className="input">
              <select
                id={`${ids}-stage`}
                value={stage}
                onChange={(event) =>
                  setStage(rolloutStages.find((known) => known === event.target.value) ?? stage)
                }
              >
                {nextStages(image.rollout).map((name) => (
                  <option key={name} value={name}>
                    {stageChoices[name]}
                  </option>
                ))}
              </select>
            </div>
          </div>
          {stage === "all" ? null : (
            <div className={rollout === null ? "field bad" : "field"}>
              <label htmlFor={`${ids}-size`}>{stageNames[stage]}</label>
              <div className="input short">
                <input
                  id={`${ids}-size`}
                  inputMode="numeric"
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  aria-invalid={rollout === null}
                  autoComplete="off"
                />
              </div>
            </div>
          )}
        </>
      }
      missing={rollout === null ? stageFault(stage) : undefined}
      confirmWords={rollout === null ? "Roll out" : `Roll out to ${rolloutWords(rollout)}`}
      cancelWords="Cancel"
      busy={widen.isPending}
      error={
        widen.isError ? <ProblemNotice error={widen.error} before="It was not rolled out further." /> : null
      }
      onConfirm={() => {
        if (rollout !== null) widen.mutate({ imageId: image.id, rollout });
      }}
    />
  );
}

export function MakeCurrentDialog({ image, onClose }: DialogProps) {
  const trpc = useTRPC();
  const done = useDone(onClose);
  const make = useMutation(
    trpc.images.makeCurrent.mutationOptions({
      onSuccess: () => done(`Image ${image.version} is the current one.`),
    }),
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Make ${image.version} the current image?`}
      consequence={
        <p>
          Every host of the site boots it, also those on which it did not come up as a candidate. The image
          before it is kept as replaced; to go back, add an image with its address and roll it out.
        </p>
      }
      confirmWords="Make it current"
      cancelWords="Cancel"
      busy={make.isPending}
      error={make.isError ? <ProblemNotice error={make.error} before="It was not made current." /> : null}
      onConfirm={() => make.mutate({ imageId: image.id })}
    />
  );
}

export function WithdrawDialog({ image, onClose }: DialogProps) {
  const trpc = useTRPC();
  const done = useDone(onClose);
  const [reason, setReason] = useState("");
  const id = useId();
  const withdraw = useMutation(
    trpc.images.withdraw.mutationOptions({ onSuccess: () => done(`Image ${image.version} is withdrawn.`) }),
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Withdraw ${image.version}?`}
      consequence={
        <p>
          No host boots it any more. Hosts that run it keep it until their next boot. This version is not used
          again: a repaired image has a version of its own.
        </p>
      }
      field={
        <div className="field">
          <label htmlFor={id}>Reason</label>
          <div className="input">
            <input
              id={id}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              maxLength={500}
              autoComplete="off"
            />
          </div>
        </div>
      }
      missing={reason.trim() === "" ? "Enter a reason" : undefined}
      confirmWords={`Withdraw ${image.version}`}
      cancelWords="Cancel"
      busy={withdraw.isPending}
      error={
        withdraw.isError ? <ProblemNotice error={withdraw.error} before="It was not withdrawn." /> : null
      }
      onConfirm={() => withdraw.mutate({ imageId: image.id, reason: reason.trim() })}
    />
  );
}
