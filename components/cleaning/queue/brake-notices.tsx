"use client";
// Brakes in force: what the failed hosts have in common, how many hosts wait because of it, and a button to lift it.
import { useState } from "react";
import { formatCount, formatCounted, formatList } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Notice } from "@/components/ui/notice";
import { Age } from "@/components/ui/time/time";
import type { BrakeLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { formatQuestion } from "@/server/domain/cleaning/queue/brake";
import { routes } from "@/server/domain/console/routes";

interface BrakeNoticesProps {
  readonly brakes: readonly BrakeLine[];
  /** Why this user may not lift a brake. */
  readonly whyNot: string | undefined;
}

/** One notice per cause, those that ask first; empty if no brake is in force or asks. */
export function BrakeNotices({ brakes, whyNot }: BrakeNoticesProps) {
  const [asked, setAsked] = useState<{ readonly brake: BrakeLine; readonly act: "lift" | "engage" }>();
  return (
    <>
      {brakes
        .filter((brake) => brake.liftedAt === null)
        .map((brake) => (
          <Notice
            key={brake.id}
            tone={brake.asks.length > 0 ? "failed" : "attention"}
            act={
              <>
                {brake.asks.length === 0 ? null : (
                  <Button small disabledReason={whyNot} onClick={() => setAsked({ brake, act: "engage" })}>
                    Put the brake on…
                  </Button>
                )}
                <Button small disabledReason={whyNot} onClick={() => setAsked({ brake, act: "lift" })}>
                  {brake.asks.length === 0 ? "Lift the brake…" : "Dismiss…"}
                </Button>
              </>
            }
          >
            {brake.asks.length === 0 ? (
              <>
                <b className="text-medium">New starts are paused at site {brake.site}.</b> {brake.message} The
                brake is on for <Age at={brake.engagedAt} />;{" "}
                {brake.holds === 1 ? "1 host waits" : `${formatCount(brake.holds)} hosts wait`} for it.{" "}
              </>
            ) : (
              <>
                <b className="text-medium">Decide about a brake at site {brake.site}.</b>{" "}
                {formatQuestion(brake.message, brake.asks)} It was found <Age at={brake.engagedAt} />{" "}
                ago.{" "}
              </>
            )}
            <Link className="link" href={routes.cleaning.failures()}>
              Failures by message
            </Link>
          </Notice>
        ))}
      {asked?.act === "lift" ? <LiftDialog brake={asked.brake} onClose={() => setAsked(undefined)} /> : null}
      {asked?.act === "engage" ? (
        <EngageDialog brake={asked.brake} onClose={() => setAsked(undefined)} />
      ) : null}
    </>
  );
}

interface BrakeDialogProps {
  readonly brake: BrakeLine;
  readonly onClose: () => void;
}

const EngageDialog = ({ brake, onClose }: BrakeDialogProps) => (
  <ActDialog
    title="Put this brake on?"
    consequence={`${brake.message} New cleanings of this group pause until somebody lifts the brake. Until then no host of ${formatList(brake.asks)} becomes Ready.`}
    confirmWords="Put the brake on"
    send={(_, client) => client.brakes.engage.mutate({ brakeId: brake.id })}
    said="The brake is on."
    stale={(trpc) => [trpc.queue]}
    onClose={onClose}
  />
);

function LiftDialog({ brake, onClose }: BrakeDialogProps) {
  const isOn = brake.asks.length === 0;
  return (
    <ActDialog
      title={isOn ? "Lift this brake?" : "Dismiss this brake?"}
      consequence={`${brake.message} New cleanings of this group ${isOn ? "start again at once" : "go on"}. Past failures do not engage the brake again; new failures may.`}
      confirmWords={isOn ? "Lift the brake" : "Dismiss the brake"}
      send={(_, client) => client.brakes.lift.mutate({ brakeId: brake.id })}
      said={({ hosts }) =>
        `The brake is ${isOn ? "lifted" : "dismissed"}; ${formatCounted(hosts, "waiting host")} ${hosts === 1 ? "is" : "are"} checked again.`
      }
      stale={(trpc) => [trpc.queue]}
      onClose={onClose}
    />
  );
}
