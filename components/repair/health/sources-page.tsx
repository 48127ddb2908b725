"use client";
// Health sources: who may report on hosts over HTTP, how often, and for how many hosts they have gone silent (docs/repair.md#sources).
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { z } from "zod";
import { AddProgramDialog, programFields } from "@/components/repair/external-systems/add-external-system";
import { ProgramsPage } from "@/components/repair/external-systems/external-systems-page";
import { useTRPC } from "@/components/trpc/trpc";
import { typedValue } from "@/components/ui/form/schemas";
import { formatCounted } from "@/server/domain/numbers";
import { heartbeatSeconds, sourceName } from "@/server/domain/repair/health/report";
import type { HealthSource } from "@/server/surfaces/trpc/types";
import { columnsOf } from "@/components/ui/table/column";

const everyMs = 10_000;

const heartbeat = typedValue((text) => {
  if (text.trim() === "") return null;
  return /^\d{1,7}$/.test(text.trim()) ? heartbeatSeconds.safeParse(Number(text)).data : undefined;
}, "Enter a whole number of seconds, or leave empty");
const addSchema = z.object(programFields(sourceName, heartbeat));

export function HealthSourcesPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: sources } = useSuspenseQuery({
    ...trpc.health.sources.queryOptions(),
    refetchInterval: everyMs,
  });
  const silent = sources.filter((source) => source.silent > 0).length;
  return (
    <ProgramsPage
      kind="health source"
      caption="Health sources"
      rows={sources}
      what={`${formatCounted(sources.length, "health source")}${silent === 0 ? "" : `, ${silent} silent`}`}
      columns={columns}
      usedLabel="Last report"
      empty="A source is a program, such as a BMC monitor, that reports on hosts over HTTP."
      adding={(dialog) => (
        <AddProgramDialog
          {...dialog}
          kind="health source"
          consequence="It can report the health of hosts under its own name, and nothing else. If a source with a heartbeat does not report on a host in time, the host gets an alert."
          schema={addSchema}
          more={{ label: "Heartbeat", aside: "seconds between its reports on a host", placeholder: "none" }}
          send={({ name, site, more: heartbeatSeconds }, client) =>
            client.health.addSource.mutate({ name, site, heartbeatSeconds })
          }
        />
      )}
      replacing={({ name }) => ({
        consequence:
          "Its current token stops working at once. The source can report again once it has the new one.",
        send: (client) => client.health.replaceToken.mutate({ name }),
      })}
      removing={({ name, hosts }) => ({
        consequence: `Its token stops working at once. Its reports stay on ${formatCounted(hosts, "host")} until they are removed there, and their alerts stay in effect.`,
        send: (client) => client.health.removeSource.mutate({ name }),
      })}
      onDone={() => void queryClient.invalidateQueries({ queryKey: trpc.health.sources.queryKey() })}
    />
  );
}

const column = columnsOf<HealthSource>();

const columns = [
  column.cell(
    "heartbeat",
    "Heartbeat",
    ({ heartbeatSeconds }) =>
      heartbeatSeconds === null ? <span className="text-quiet">none</span> : `every ${heartbeatSeconds} s`,
    { width: 112 },
  ),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80 }),
  column.cell(
    "silent",
    "Silent",
    ({ silent }) =>
      silent === 0 ? (
        <span className="text-quiet">none silent</span>
      ) : (
        `${formatCounted(silent, "host")} silent`
      ),
    { width: 136, narrow: "bottom-end" },
  ),
];
