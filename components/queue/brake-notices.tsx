"use client";
// Brakes in force: what the failed hosts have in common, how many hosts wait because of it, and a button to lift it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Notice } from "@/components/ui/notice";
import { Age } from "@/components/ui/time/time";
import type { BrakeLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";

interface BrakeNoticesProps {
  readonly brakes: readonly BrakeLine[];
  /** Why this user may not lift a brake. */
  readonly whyNot: string | undefined;
}

/** One notice per cause; empty if no brake is in force. */
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
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return (
    <ActDialog
      title="Lift this brake?"
      consequence={`${brake.message} New cleanings of this group start again at once. Past failures do not engage the brake again; new failures may.`}
      confirmWords="Lift the brake"
      send={() => client.brakes.lift.mutate({ brakeId: brake.id })}
      said={({ hosts }) =>
        `The brake is lifted; ${formatCounted(hosts, "waiting host")} ${hosts === 1 ? "is" : "are"} checked again.`
      }
      onClose={onClose}
      onDone={() => void queryClient.invalidateQueries({ queryKey: trpc.queue.get.queryKey() })}
    />
  );
}
