"use client";
// Brakes in force: what the failed hosts have in common, how many hosts wait for it, and lifting it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { Age } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import type { BrakeLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";

interface BrakeNoticesProps {
  readonly brakes: readonly BrakeLine[];
  /** Why this person may not lift one. */
  readonly whyNot: string | undefined;
}

/** One notice per cause. Nothing where no brake is on. */
export function BrakeNotices({ brakes, whyNot }: BrakeNoticesProps) {
  const [asked, setAsked] = useState<BrakeLine>();
  return (
    <>
      {brakes
        .filter((brake) => brake.liftedAt === null)
        .map((brake) => (
          <Notice
            key={brake.id}
            tone="attention"
            act={
              <Button small disabledReason={whyNot} onClick={() => setAsked(brake)}>
                Lift the brake…
              </Button>
            }
          >
            <b className="text-medium">New starts are paused at site {brake.site}.</b> {brake.message} The
            brake is on for <Age at={brake.engagedAt} />;{" "}
            {brake.holds === 1 ? "1 host waits" : `${formatCount(brake.holds)} hosts wait`} for it.{" "}
            <Link className="link" href={routes.cleaning.failures()}>
              Failures by message
            </Link>
          </Notice>
        ))}
      {asked === undefined ? null : <LiftDialog brake={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function LiftDialog({ brake, onClose }: { readonly brake: BrakeLine; readonly onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  const lift = useMutation({
    ...trpc.brakes.lift.mutationOptions(),
    onSuccess: async ({ hosts }) => {
      say(`The brake is lifted; ${hosts} waiting hosts look again.`);
      onClose();
      await client.invalidateQueries({ queryKey: trpc.queue.get.queryKey() });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Lift this brake?"
      consequence={`${brake.message} New cleanings of this group start again at once. Past failures do not engage the brake again; new failures may.`}
      confirmWords="Lift the brake"
      cancelWords="Cancel"
      busy={lift.isPending}
      error={lift.error === null ? undefined : problemOf(lift.error).words}
      onConfirm={() => lift.mutate({ brakeId: brake.id })}
    />
  );
}
