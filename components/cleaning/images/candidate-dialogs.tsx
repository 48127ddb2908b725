"use client";
// Dialogs for a candidate image, each stating its consequence: widen the rollout, make it current, withdraw it.
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import { rolloutStages, formatRollout, type Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { CandidateLine } from "@/server/surfaces/trpc/types";
import { proposedStage, rolloutFrom, stageFault, textOf } from "@/components/cleaning/images/next-stage";
import { useRefreshImages, useSendImage } from "@/components/cleaning/images/use-send-image";

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

/** The form, prefilled with the next stage, and the resulting rollout; null while the values are invalid. */
function useWidenForm(image: CandidateLine, onClose: () => void) {
  const client = useTRPCClient();
  const { send, problem } = useSendImage(onClose);
  const [proposed] = useState(() => {
    const rollout = proposedStage(image.rollout) ?? image.rollout;
    return { stage: rollout.stage, size: textOf(rollout) };
  });
  const form = useAppForm({
    defaultValues: proposed,
    validators: { onChange: widenSchema },
    onSubmit: ({ value, formApi }) => {
      const rollout = widenSchema.parse(value);
      return send(formApi, `Image ${image.version} goes to ${formatRollout(rollout)}.`, () =>
        client.images.widen.mutate({ imageId: image.id, rollout }),
      );
    },
  });
  const values = useStore(form.store, (state) => state.values);
  return { form, problem, stage: values.stage, rollout: widenSchema.safeParse(values).data };
}

export function WidenDialog({ image, onClose }: DialogProps) {
  const { form, problem, stage, rollout } = useWidenForm(image, onClose);
  return (
    <form.AppForm>
      <FormDialog
        title={`Roll ${image.version} out further?`}
        consequence={<HowItGoes image={image} />}
        confirmWords={rollout === undefined ? "Roll out" : `Roll out to ${formatRollout(rollout)}`}
        schema={widenSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="stage">
          {(field) => (
            <field.SelectField
              label="To"
              options={nextStages(image.rollout).map((value) => ({ value, label: stageChoices[value] }))}
            />
          )}
        </form.AppField>
        {stage === "all" ? null : (
          <form.AppField name="size">
            {(field) => <field.TextField label={sizeLabels[stage]} inputMode="numeric" short />}
          </form.AppField>
        )}
      </FormDialog>
    </form.AppForm>
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

export function MakeCurrentDialog({ image, onClose }: DialogProps) {
  const client = useTRPCClient();
  const refresh = useRefreshImages();
  return (
    <ActDialog
      title={`Make ${image.version} the current image?`}
      consequence={
        <p>
          Every host at the site boots this image, including hosts on which it did not come up as a candidate.
          The previous image is kept as replaced; to go back, add an image with its address and roll that out.
        </p>
      }
      confirmWords="Make current"
      send={() => client.images.makeCurrent.mutate({ imageId: image.id })}
      said={`Image ${image.version} is now the current image.`}
      onClose={onClose}
      onDone={refresh}
    />
  );
}

export function WithdrawDialog({ image, onClose }: DialogProps) {
  const client = useTRPCClient();
  const refresh = useRefreshImages();
  return (
    <ReasonDialog
      title={`Withdraw ${image.version}?`}
      consequence={
        <p>
          No host boots it any more. Hosts that run it keep it until their next boot. The version cannot be
          reused: give a fixed image a new version.
        </p>
      }
      confirmWords={`Withdraw ${image.version}`}
      send={({ reason }) => client.images.withdraw.mutate({ imageId: image.id, reason })}
      said={`Image ${image.version} is withdrawn.`}
      onClose={onClose}
      onDone={refresh}
    />
  );
}
