// The event log of a simulated BMC, made as it is read: Dell lists the newest entry first, Lenovo the oldest, both by pages that begin at any number, and the
// generic one the oldest first, by pages that only the one before leads to.
import { json } from "@/server/simulator/bmc/answer";
import type { HostFaults } from "@/server/simulator/faults";
import type { Vendor } from "@/server/simulator/fleet/models";

const logs: Readonly<Record<Vendor, string>> = { dell: "Sel", lenovo: "PlatformLog", generic: "Event" };
const pageSize: Readonly<Record<Vendor, number>> = { dell: 50, lenovo: 100, generic: 200 };

type EventLog = NonNullable<NonNullable<HostFaults["health"]>["log"]>;

const severityOf = (number: number): string =>
  number % 1_000 === 0 ? "Critical" : number % 100 === 0 ? "Warning" : "OK";

const texts: Readonly<Record<string, string>> = {
  Critical: "The power input of a power supply is lost.",
  Warning: "A fan speed is below its warning threshold.",
  OK: "The system board reports its normal state.",
};

const entry = (path: string, number: number, { since }: EventLog) => ({
  ...{ "@odata.id": `${path}/${number}`, "@odata.type": "#LogEntry.v1_15_0.LogEntry", EntryType: "Event" },
  ...{ Id: String(number), Name: `Log entry ${number}`, Severity: severityOf(number) },
  Created: new Date(Date.parse(since) + number * 1_000).toISOString(),
  Message: texts[severityOf(number)],
});

/** The text of a page; null: there is no such log. */
export function eventLogPage(
  path: string,
  query: string | undefined,
  vendor: Vendor,
  faults: HostFaults["health"],
): string | null {
  if (!path.endsWith(`/LogServices/${logs[vendor]}/Entries`)) return null;
  const log = faults?.log ?? { first: 1, entries: 0, since: "2026-01-01T00:00:00Z" };
  const size = pageSize[vendor];
  const from = Number(/\$skip(?:token=p)?=?(\d+)/.exec(query ?? "")?.[1] ?? 0);
  const places = Array.from(
    { length: Math.max(0, Math.min(size, log.entries - from)) },
    (_, at) => from + at,
  );
  const members = places.map((place) =>
    entry(path, vendor === "dell" ? log.first + log.entries - 1 - place : log.first + place, log),
  );
  const next = from + members.length;
  return json({
    ...{ "@odata.id": path, "@odata.type": "#LogEntryCollection.LogEntryCollection", Name: "Log entries" },
    ...{ Members: members, "Members@odata.count": log.entries },
    ...(next >= log.entries
      ? {}
      : {
          "Members@odata.nextLink": `${path}?${vendor === "generic" ? `$skiptoken=p${next}` : `$skip=${next}`}`,
        }),
  });
}
