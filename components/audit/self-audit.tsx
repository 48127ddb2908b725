"use client";
// The nightly check of the log by its own server: a warning where it found something, and one line of the last one.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";

export function SelfAudit() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.state.queryOptions());
  // What is checked in the browser does not wait for the server.
  if (data === undefined) return null;
  const { selfAudit } = data;
  if (selfAudit === null)
    return (
      <p className="text-quiet">The server checks the whole log once a night. It has not done so yet.</p>
    );
  const { at, ok, events, faults, first } = selfAudit;
  if (ok)
    return (
      <p className="text-quiet">
        Checked by the server <Time at={at} />: {formatCounted(events, "event")}, nothing wrong.
      </p>
    );
  return (
    <Notice tone="failed">
      The server’s nightly check (<Time at={at} />) found {formatCounted(faults, "fault")}: {first.join("; ")}
      . Check the log yourself under Verify, and keep a copy of it as it is.
    </Notice>
  );
}
