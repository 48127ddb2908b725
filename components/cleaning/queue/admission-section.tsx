"use client";
// Admission on the fleet page: brakes on top, then how many hosts wait for a slot under each site's limits.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useAskedAct } from "@/components/frame/asked-act";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import dynamic from "next/dynamic";
import Link from "next/link";
import { reachOf } from "@/server/domain/access/access";
import { Unreadable } from "@/components/ui/unreadable";
import { LimitsTable } from "@/components/cleaning/queue/limits-table";
import { queueEveryMs } from "@/components/cleaning/queue/queue-query";
import { routes } from "@/server/domain/console/routes";
import { formatCount, formatCounted, formatList } from "@/server/domain/numbers";
import { useState } from "react";
import { z } from "zod";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
import { Button } from "@/components/ui/button";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { useSay } from "@/components/ui/toast";
import { Notice } from "@/components/ui/notice";
import { Age } from "@/components/ui/time/time";
import type { BrakeLine } from "@/server/surfaces/trpc/types";
import { brakeActs, formatGroup, formatQuestion } from "@/server/domain/cleaning/queue/brake";

const BrakeDialog = dynamic(() => import("@/components/cleaning/queue/brake-dialog"), { ssr: false });

interface BrakeNoticesProps {
  readonly brakes: readonly BrakeLine[];
  /** Why this user may not lift a brake. */
  readonly whyNot: string | undefined;
}

/** One notice per cause, those that ask first; empty if no brake is in force or asks. */
function BrakeNotices({ brakes, whyNot }: BrakeNoticesProps) {
  const [asked, setAsked] = useState<{ readonly brake: BrakeLine; readonly act: "lift" | "engage" }>();
  const [shown, setShown] = useState<BrakeLine>();
  const say = useSay();
  const begin = (act: "lift" | "engage", id: string) => {
    const brake = brakes.find((known) => known.id === id && known.liftedAt === null);
    if (brake === undefined || (act === "engage" && brake.asks.length === 0))
      say("Somebody has decided about this brake.");
    else if (whyNot === undefined) setAsked({ brake, act });
    else say(whyNot);
  };
  useAskedAct("lift", (id) => begin("lift", id));
  useAskedAct("engage", (id) => begin("engage", id));
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
                <Button small kind="plain" onClick={() => setShown(brake)}>
                  Investigate…
                </Button>
                {brake.asks.length === 0 ? null : (
                  <Button small disabledReason={whyNot} onClick={() => setAsked({ brake, act: "engage" })}>
                    {brakeActs.engage}…
                  </Button>
                )}
                <Button small disabledReason={whyNot} onClick={() => setAsked({ brake, act: "lift" })}>
                  {brake.asks.length === 0 ? `${brakeActs.lift}…` : "Dismiss…"}
                </Button>
              </>
            }
          >
            {brake.asks.length === 0 ? (
              <>
                <b className="text-medium">New starts are paused at site {brake.site}.</b> {brake.message} The
                brake is on for <Age at={brake.engagedAt} />;{" "}
                {brake.holds === 1 ? "1 host waits" : `${formatCount(brake.holds)} hosts wait`} for it.{" "}
                {brake.narrowedTo == null
                  ? null
                  : `It holds only hosts with ${formatList(brake.narrowedTo.map(formatGroup))}, and those of which it is not known. `}
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
      {shown === undefined ? null : (
        <BrakeDialog brake={shown} whyNot={whyNot} onClose={() => setShown(undefined)} />
      )}
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
    confirmWords={brakeActs.engage}
    send={(_, client) => client.brakes.engage.mutate({ brakeId: brake.id })}
    said="The brake is on."
    stale={(trpc) => [trpc.queue]}
    onClose={onClose}
  />
);

const whySchema = z.object({ reason: reasonText() });

function LiftDialog({ brake, onClose }: BrakeDialogProps) {
  const isOn = brake.asks.length === 0;
  return (
    <ActFormDialog
      title={isOn ? "Lift this brake?" : "Dismiss this brake?"}
      consequence={`${brake.message} New cleanings of this group ${isOn ? "start again at once" : "go on"}. Only new failures can engage the brake again.`}
      confirmWords={isOn ? brakeActs.lift : brakeActs.dismiss}
      schema={whySchema}
      values={{ reason: "" }}
      fields={{ reason: reasonField("What was wrong, and what was done about it; kept in the audit log.") }}
      send={({ reason }, client) => client.brakes.lift.mutate({ brakeId: brake.id, reason })}
      said={({ hosts }) =>
        `The brake is ${isOn ? "lifted" : "dismissed"}; ${formatCounted(hosts, "waiting host")} ${hosts === 1 ? "is" : "are"} checked again.`
      }
      stale={(trpc) => [trpc.queue]}
      onClose={onClose}
    />
  );
}

const refreshMs = 2500;
/** Brakes in force, above all figures: while one is on, its hosts do not come back. */
export function BrakesInForce() {
  const trpc = useTRPC();
  const me = useMe();
  const { data: queue } = useSuspenseQuery(trpc.queue.get.queryOptions());
  return (
    <div className="above">
      <BrakeNotices
        brakes={queue.brakes}
        whyNot={
          reachOf(me.role, "brake.lift") === "any" ? undefined : `The role ${me.role} may not lift a brake`
        }
      />
    </div>
  );
}

export function AdmissionSection() {
  const trpc = useTRPC();
  const { data: queue, refetch } = useSuspenseQuery({
    ...trpc.queue.get.queryOptions(),
    refetchInterval: queueEveryMs,
  });
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const waiting = queue.sites.reduce((sum, site) => sum + site.waiting, 0);
  const atWork = queue.sites.reduce((sum, site) => sum + site.atWork, 0);
  return (
    <>
      <div className="sec">
        <h2>Admission</h2>
        <span className="sum cut">
          {formatCount(atWork)} in progress,{" "}
          {waiting === 0 ? "none waiting" : `${formatCount(waiting)} waiting`}
        </span>
        {waiting === 0 ? null : (
          <span className="end">
            <Link href={routes.cleaning.queue()}>Open the queue</Link>
          </span>
        )}
      </div>
      <Unreadable of={queue.unreadable.map((site) => `site ${site}`)} />
      <div className="cols two">
        {queue.sites.map((site) => (
          <div key={site.siteId}>
            {queue.sites.length === 1 ? null : <p className="text-quiet text-compact">Site {site.site}</p>}
            <LimitsTable queue={site} />
          </div>
        ))}
      </div>
    </>
  );
}
