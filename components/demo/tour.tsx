"use client";
// The guided tour: a tenant's instance is released, its host is cleaned and becomes Ready with its proof. It follows the real events.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";
import { describeState } from "@/server/domain/lifecycle/state-table";
import type { StoredState } from "@/server/domain/lifecycle/states";

const refreshMs = 1500;

type Step = 1 | 2 | 3;

/** The newest instance that can be released when the tour starts; it stays the same until the end. */
function useTourInstance(): {
  readonly picked: InstanceRow | undefined;
  readonly now: InstanceRow | undefined;
} {
  const trpc = useTRPC();
  const list = useQuery({
    ...trpc.instances.list.queryOptions({ status: "open", limit: 50 }),
    staleTime: Infinity,
  });
  const [picked, setPicked] = useState<InstanceRow>();
  const first = list.data?.rows.find(
    (row) => row.status === "Ready" && row.release.allowed && row.host !== null,
  );
  if (picked === undefined && first !== undefined) setPicked(first);
  const instance = useQuery({
    ...trpc.instances.get.queryOptions({ id: picked?.id ?? "" }),
    enabled: picked !== undefined,
  });
  useLiveRefresh(() => instance.refetch(), { everyMs: refreshMs, enabled: picked !== undefined });
  return { picked, now: instance.data };
}

/** Shown in a corner, above every page. */
export function Tour({ onEnd }: { onEnd: () => void }) {
  const trpc = useTRPC();
  const { picked, now } = useTourInstance();
  const name = picked?.host?.name ?? "";
  const host = useQuery({ ...trpc.host.get.queryOptions({ host: name }), enabled: name !== "" });
  useLiveRefresh(() => host.refetch(), { everyMs: refreshMs, enabled: name !== "" });
  const released = now !== undefined && now.releaseRequestedAt !== null;
  const ended = now !== undefined && now.endedAt !== null;
  const step: Step = !released ? 1 : ended && host.data?.state === "Ready" ? 3 : 2;
  return (
    <section className="tour" aria-label="Tour">
      <h2>Tour, step {step} of 3</h2>
      <div role="status">
        {picked === undefined ? (
          <p>Waiting for an instance that can be released…</p>
        ) : (
          <Text step={step} instance={picked} host={name} state={host.data?.state} />
        )}
      </div>
      <div className="acts">
        <Button small onClick={onEnd}>
          {step === 3 ? "Finish the tour" : "End the tour"}
        </Button>
      </div>
    </section>
  );
}

interface TextProps {
  step: Step;
  instance: InstanceRow;
  host: string;
  state: StoredState | undefined;
}

function Text({ step, instance, host, state }: TextProps) {
  const page = <Link href={routes.host(host)}>{host}</Link>;
  switch (step) {
    case 1:
      return (
        <p>
          {instance.tenantName} uses a machine as the instance {instance.name}. Open{" "}
          <Link href={routes.instances({ open: instance.id })}>Instances</Link>, choose <b>Release…</b> in its
          row, and confirm.
        </p>
      );
    case 2:
      return (
        <p>
          The machine under it is {page}. Watch it leave the tenant&rsquo;s network, boot the cleaning agent,
          and be erased drive by drive.
          {state === undefined ? null : (
            <>
              {" "}
              Now: <Mark tone={describeState(state).tone} label="" /> {describeState(state).label}.
            </>
          )}
        </p>
      );
    case 3:
      return (
        <p>
          {page} is Ready again: every drive was erased and read back, and each{" "}
          <Link href={routes.host(host, { tab: "gates" })}>gate</Link> names the evidence that satisfied it.
        </p>
      );
  }
}
