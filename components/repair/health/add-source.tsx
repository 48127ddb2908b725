"use client";
// Adds a health source.
import { z } from "zod";
import { AddProgramDialog } from "@/components/repair/external-systems/add-external-system";
import { programFields } from "@/components/repair/external-systems/external-system-fields";
import type { AddDialogProps } from "@/components/repair/external-systems/external-systems-page";
import { useTRPCClient } from "@/components/trpc/trpc";
import { typedValue } from "@/components/ui/form/schemas";
import { heartbeatSeconds, sourceName } from "@/server/domain/repair/health/report";

const heartbeat = typedValue((text) => {
  if (text.trim() === "") return null;
  return /^\d{1,7}$/.test(text.trim()) ? heartbeatSeconds.safeParse(Number(text)).data : undefined;
}, "Enter a whole number of seconds, or leave empty");
const schema = z.object(programFields(sourceName, heartbeat));

const heartbeatField = {
  label: "Heartbeat",
  aside: "seconds between its reports on a host",
  placeholder: "none",
};

export function AddSourceDialog(props: AddDialogProps) {
  const client = useTRPCClient();
  return (
    <AddProgramDialog
      {...props}
      kind="health source"
      consequence="It can report the health of hosts under its own name, and nothing else. If a source with a heartbeat does not report on a host in time, the host gets an alert."
      schema={schema}
      more={heartbeatField}
      send={({ name, site, more }) => client.health.addSource.mutate({ name, site, heartbeatSeconds: more })}
    />
  );
}
