// The event logs of a machine's system, manager and chassis: which there are, and their entries as they come.
import { hash } from "node:crypto";
import { z } from "zod";
import { entryAge, maxLogs } from "@/server/domain/repair/health/bmc/log";
import type { LogEntry, LogMarks, LogReading, LogReadings } from "@/server/domain/repair/health/bmc/log";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { walkLog } from "@/server/hardware/redfish/health/log-pages";
import type { FetchPage, Page } from "@/server/hardware/redfish/health/log-pages";
import { CannotTell, Gather } from "@/server/hardware/redfish/inventory/gather";
import { optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { isObject } from "@/server/domain/json";

const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

const withLogs = z.object({ LogServices: optionalLink });
const service = z.object({
  Id: text,
  LogEntryType: text,
  ServiceEnabled: flag,
  Entries: optionalLink,
});
type Service = z.infer<typeof service>;

const page = z.object({
  Members: z.array(z.unknown()),
  "Members@odata.count": number,
  "Members@odata.nextLink": text,
});

const entry = z.object({
  Id: text,
  Severity: text,
  Created: text,
  Message: text,
  MessageId: text,
  Resolved: flag,
});
type Entry = z.infer<typeof entry>;

/** Of one answer, so that a BMC cannot keep us busy with one. */
const maxEntries = 5_000;

/** Who signed in, what was dumped and which codes a boot showed says nothing of the hardware's health. */
const notHealth = /audit|access|secur|dump|post.?code|journal|debug|diag/i;

/** Logs with records of a vendor's own kind have no severity that means the same everywhere, and are the longest. */
const saysHealth = ({ Id, LogEntryType, ServiceEnabled }: Service): boolean =>
  ServiceEnabled !== false && LogEntryType !== "OEM" && LogEntryType !== "CXL" && !notHealth.test(Id ?? "");

const severityOf = (value: string | null | undefined): LogEntry["severity"] =>
  value === "OK" || value === "Warning" || value === "Critical" ? value : null;

/** Without its number, which some BMCs give by place. Without a time it is all there is to tell it by. */
const keyOf = ({ Id, Created, MessageId, Message }: Entry): string =>
  hash(
    "sha256",
    JSON.stringify([Created == null ? Id : null, Created, MessageId, Message]),
    "base64url",
  ).slice(0, 22);

const endOf = ({ Id, Created }: Entry) => {
  const createdMs = Date.parse(Created ?? "");
  return {
    createdMs: Number.isNaN(createdMs) ? null : createdMs,
    number: /^\d{1,15}$/.test(Id ?? "") ? Number(Id) : null,
  };
};

const isBare = (member: unknown): boolean =>
  isObject(member) && Object.keys(member).every((name) => name.startsWith("@"));

const fetchFrom =
  (client: RedfishClient, call: Call): FetchPage =>
  async (path) => {
    const replied = await client.get(call, path);
    if (!replied.ok) {
      if (replied.error.status === 404) return null;
      throw new CannotTell(replied.error);
    }
    const gather = new Gather(client, call);
    const parsed = page.safeParse(replied.answer.body);
    if (!parsed.success) return gather.stop(path, "its content is not a list of entries");
    const { Members, "Members@odata.count": count, "Members@odata.nextLink": next } = parsed.data;
    if (Members.length > maxEntries)
      return gather.stop(path, `it lists more than ${maxEntries} entries at once`);
    // DSP0268 has the members of a log come with their content.
    if (Members.some(isBare)) return gather.stop(path, "its entries come without their content");
    const found = Members.flatMap((member) => entry.safeParse(member).data ?? []);
    const { bmcTime } = replied.answer;
    return pageOf(path, found, { count: count ?? null, next: next == null ? null : pathOf(next), bmcTime });
  };

function pageOf(
  path: string,
  found: readonly Entry[],
  { count, next, bmcTime }: Pick<Page, "count" | "next"> & { readonly bmcTime: string | null },
): Page {
  const [first, last] = [found[0], found.at(-1)];
  return {
    path,
    count,
    next,
    ends: first === undefined || last === undefined || found.length < 2 ? null : [endOf(first), endOf(last)],
    entries: found.map((each) => ({
      key: keyOf(each),
      id: each.Id ?? "",
      severity: severityOf(each.Severity),
      message: each.Message ?? "",
      ageMs: entryAge(each.Created ?? null, bmcTime),
      isResolved: each.Resolved === true,
    })),
  };
}

/** The logs of these resources, by the paths of their entries. */
async function logsOf(gather: Gather, owners: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  // Some BMCs have one list for all of them.
  const lists = new Set<string>();
  for (const owner of owners) {
    const list = pathOfLink(withLogs.safeParse(await gather.resource("owner", owner)).data?.LogServices);
    if (list !== null) lists.add(list);
  }
  for (const list of lists) {
    for (const { body } of await gather.resources(await gather.members("logs", list))) {
      const { data } = service.safeParse(body);
      const path = pathOfLink(data?.Entries);
      if (data !== undefined && path !== null && saysHealth(data) && found.size < maxLogs)
        found.set(path, data.Id ?? path);
    }
  }
  return found;
}

const whyOf = (error: unknown): string => {
  if (error instanceof CannotTell) return error.message;
  throw error;
};

/**
 * @param owners paths of resources that may have logs
 * @throws what stops the list of logs
 */
export async function readLogs(
  client: RedfishClient,
  call: Call,
  owners: readonly string[],
  marks: LogMarks,
): Promise<LogReadings> {
  const readings: Record<string, LogReading> = {};
  for (const [path, name] of await logsOf(new Gather(client, call), owners)) {
    const walked = await walkLog(fetchFrom(client, call), path, marks[path] ?? null).catch(whyOf);
    if (typeof walked === "string") readings[path] = { kind: "unread", name, why: walked };
    else if (walked !== null) readings[path] = { kind: "read", name, ...walked };
  }
  return readings;
}
