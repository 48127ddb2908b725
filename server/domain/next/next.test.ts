// Which groups there are, what they say, and in which order: by tables, and for every order in which the facts come.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { securityEventNames } from "@/server/domain/access/security-events/kinds";
import { roles } from "@/server/domain/access/roles";
import { approvalKinds } from "@/server/domain/assurance/approvals/approval";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { causeKeys } from "@/server/domain/cleaning/failures/cause";
import { pages } from "@/server/domain/console/routes";
import { parseHostFilter } from "@/server/domain/hosts/host-filter";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import {
  failureGroup,
  overLimitGroup,
  personStates,
  silentAgentsGroup,
  waitingGroup,
} from "@/server/domain/next/host-lines";
import type { FailureFact } from "@/server/domain/next/host-lines";
import { inOrder } from "@/server/domain/next/group";
import type { NextGroup } from "@/server/domain/next/group";
import { formatGroupEvent } from "@/server/domain/next/history";
import { kindsOf, nextKinds } from "@/server/domain/next/kinds";
import {
  brakeGroup,
  decisionGroup,
  endingGroup,
  measurementGroup,
  securityGroup,
} from "@/server/domain/next/other-lines";
import {
  heldGroup,
  leaseGroup,
  noticeGroup,
  repairGroup,
  webhookGroup,
} from "@/server/domain/next/repair-lines";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 12, minute));
const hosts = (count: number, tenants = 0) => ({
  hosts: count,
  tenants,
  since: at(0),
  host: "gpu-1",
  racks: ["A07"],
});

const refused: Cause = {
  key: "eraseRefused",
  device: { kind: "drive", serial: "S6XNNA0T", model: "CM6", slot: "3", firmware: "1.2" },
  technique: "nvme-sanitize-crypto",
  status: { bus: "nvme", sct: 0, sc: 1 },
  raw: "answered 1",
};
const failure = (count: number, cause: Cause = refused, over: Partial<FailureFact> = {}): FailureFact => ({
  ...hosts(count),
  state: "Failed/NVMECleanFailed",
  causes: [cause],
  message: "words",
  names: ["gpu-1"],
  hostModel: "PowerEdge R750",
  again: 0,
  ticketed: 0,
  advice: null,
  ...over,
});

const brake = {
  id: "b1",
  site: "a",
  dimension: "step" as const,
  value: "deploy.erase_nvme",
  message: "4 of 5 cleanings failed.",
  asks: [],
  holds: 31,
  since: at(5),
};
const security = {
  event: "reportForged",
  events: 1,
  hosts: ["gpu-2"],
  addresses: ["10.0.0.9"],
  since: at(9),
};
const ending = {
  exceptions: 1,
  hosts: 1,
  host: "gpu-3",
  subject: "storageSanitized, drive S1",
  since: at(1),
  due: at(50),
};

it.each<[string, number, Partial<FailureFact>, RegExp]>([
  ["nothing was tried", 1, {}, /^Check whether a release after firmware/],
  ["the page of the only host has it", 1, { again: 1, advice: "Replace the drive" }, /^Replace the drive\.$/],
  ["some were stopped again", 5, { again: 2 }, /^2 hosts were stopped again .* Check whether a release/],
  ["all have a ticket", 5, { ticketed: 5 }, /^Tickets ask for the drives of 5 hosts to be replaced\.$/],
])("the advice for failed hosts remembers: %s", (_what, count, over, words) =>
  expect(failureGroup(failure(count, refused, over)).next).toMatch(words),
);

describe("a group", () => {
  it.each<[string, NextGroup, Partial<NextGroup>]>([
    [
      "of failures names the cause, and what it changes",
      failureGroup(failure(7)),
      {
        kind: "failure",
        title: "7 hosts failed: erase refused",
        why: "Erase refused, Sanitize (crypto erase): its firmware does not know this command (Invalid Command Opcode); CM6, all in rack A07.",
        effect: "+7 hosts",
        act: {
          words: "Show 7 hosts",
          href: expect.stringMatching(/^\/hosts\?q=failure%3A[0-9a-f]{16}$/),
          command: expect.stringMatching(/^hosts list failure:/),
        },
      },
    ],
    [
      "of one failure is that host, with its drive",
      failureGroup(failure(1, refused, { tenants: 1 })),
      {
        title: "gpu-1 failed: erase refused",
        why: expect.stringMatching(/^Drive S6XNNA0T \(slot 3, CM6\) refused/),
        effect: "+1 host, 1 tenant waits",
        act: { words: "Open the host", href: "/hosts/gpu-1", command: "hosts show gpu-1" },
      },
    ],
    [
      "of silent BMCs says so",
      failureGroup(failure(4, { key: "bmcSilent", raw: "" }, { state: "Failed/BmcUnreachable" })),
      { kind: "silent", title: "4 BMCs are silent", why: "BMC silent; PowerEdge R750, all in rack A07." },
    ],
    [
      "of a silent agent names its host",
      failureGroup(failure(1, { key: "agentSilent", facts: { seconds: 60 }, raw: "" })),
      { kind: "silent", title: "The agent of gpu-1 is silent" },
    ],
    [
      "of failures that have text only",
      failureGroup(failure(2, refused, { causes: null, message: "It broke 12 times" })),
      { title: "2 hosts failed: NVMECleanFailed", why: "It broke # times; PowerEdge R750, all in rack A07." },
    ],
    [
      "of hosts over the limit of a state",
      overLimitGroup({ ...hosts(4), state: "WaitingForCleanup/HostCleanup" }),
      {
        tone: "attention",
        title: "4 hosts over the limit of cleaning",
        filter: "state:WaitingForCleanup/HostCleanup sla:over",
      },
    ],
    [
      "of an agent that missed a call says until when an erase may run",
      silentAgentsGroup({ ...hosts(1), step: "deploy.erase_nvme", erasing: 1, eraseUntil: at(9) }),
      {
        kind: "silent",
        title: "The agent of gpu-1 is silent",
        why: "It runs deploy.erase_nvme and has missed a call. An erase may still run until 2026-11-30 12:09:00 UTC at the latest.",
        next: expect.stringMatching(/^Leave the power on\. /),
        act: { words: "Open the host", href: "/hosts/gpu-1", command: "hosts show gpu-1" },
      },
    ],
    [
      "of several such agents leads to their hosts",
      silentAgentsGroup({ ...hosts(3), step: "deploy.erase_nvme", erasing: 0, eraseUntil: null }),
      { title: "3 agents are silent", why: "They run steps and have missed calls.", filter: "silent:true" },
    ],
    [
      "of hosts that wait for a person",
      waitingGroup({ ...hosts(1), state: "BomValidating/WaitingForSkuAssignment" }),
      { tone: "waiting", title: "1 host waits: no SKU", effect: "+1 host" },
    ],
    [
      "is a brake that is on",
      brakeGroup(brake),
      {
        title: "Brake on clean step deploy.erase_nvme, site a",
        why: "4 of 5 cleanings failed. 31 hosts wait for it.",
        effect: "+31 hosts",
        tone: "attention",
      },
    ],
    [
      "is a brake that asks",
      brakeGroup({ ...brake, asks: ["gold"], holds: 0 }),
      {
        title: "Brake to decide: clean step deploy.erase_nvme, site a",
        effect: "no host waits",
        tone: "failed",
      },
    ],
    [
      "of one security event names host and address",
      securityGroup(security),
      {
        title: "Forged report: gpu-2",
        why: expect.stringContaining("It came from 10.0.0.9."),
        effect: "1 event",
      },
    ],
    [
      "of security events counts them",
      securityGroup({ ...security, events: 3, hosts: ["a", "b"], addresses: ["c", "d"] }),
      { title: "Forged report, 3 times", size: 3 },
    ],
    [
      "of a security event of another release",
      securityGroup({ ...security, event: "ofTomorrow" }),
      { title: "ofTomorrow: gpu-2", tone: "failed", act: expect.objectContaining({ href: "/security" }) },
    ],
    [
      "of hosts to claim, for who may claim them",
      repairGroup({ ...hosts(2), own: true }),
      { title: "2 hosts to repair", why: "You may claim them; gpu-1 has waited longest." },
    ],
    [
      "of hosts to claim, for the provider",
      repairGroup({ ...hosts(1), own: false }),
      { title: "1 clean host waits in the repair queue", why: "A repair tenant may claim gpu-1." },
    ],
    ...(
      [
        [1, 0, "1 webhook accepts no events", "chat fails: its events are tried again, in order."],
        [
          2,
          0,
          "2 webhooks accept no events",
          "The first, chat, fails: its events are tried again, in order.",
        ],
        [1, 1, "1 webhook accepts no events", "chat is switched off, and its events wait."],
        [3, 2, "3 webhooks accept no events", "2 webhooks are switched off, and their events wait."],
      ] as const
    ).map(([webhooks, off, title, why]): [string, NextGroup, Partial<NextGroup>] => [
      `of ${webhooks} webhooks, ${off} of them off`,
      webhookGroup({ webhooks, off, name: "chat", since: at(0) }),
      { title, why },
    ]),
    [
      "of hosts that a repair tenant holds",
      heldGroup(hosts(2)),
      {
        title: "2 hosts in your hands",
        why: "You claimed them for a repair; you have had gpu-1 for the longest.",
      },
    ],
    [
      "of an exception that ends",
      endingGroup(ending),
      { title: "The exception of gpu-3 ends", effect: "−1 host", due: at(50) },
    ],
  ])("%s", (_, group, expected) => expect(group).toMatchObject(expected));

  it("keeps its key while its cause stays, and no other group has it", () => {
    const again = failureGroup(
      failure(9, { ...refused, device: { ...refused.device, kind: "drive", serial: "T", model: "CM6" } }),
    );
    expect(again.key).toBe(failureGroup(failure(1)).key);
    expect(failureGroup(failure(1, { ...refused, technique: "nvme-format" })).key).not.toBe(again.key);
    const keys = every().map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it("has words for every kind, state and cause, and a filter that the hosts page takes", () => {
    expect(new Set(every().map(({ kind }) => kind))).toEqual(new Set(nextKinds));
    for (const group of every()) {
      expect(group.title).toMatch(/^\S.*[^.\s]$/s);
      for (const words of [group.why, group.next]) expect(words).toMatch(/^\S.*[.?]$/s);
      for (const words of [group.title, group.why, group.next, group.effect])
        expect(words).not.toMatch(/undefined|\[object|\bnull\b| {2}|\.\.$|NaN|(?<![-\w])1 \w+s\b/);
      expect(group.act.href).toMatch(/^\//);
      if (group.filter !== null) expect(parseHostFilter(group.filter)).toMatchObject({ ok: true });
    }
  });
});

const measured = {
  ...{ site: "north", manufacturer: "Dell Inc.", model: "R750", digest: "a".repeat(64) },
  ...{ hosts: 2, held: 2, host: "gpu-9", since: at(1) },
};

/** One of every kind, cause and state. */
function every(): readonly NextGroup[] {
  const states = allStates().filter((state) => !isFailed(state));
  return [
    ...causeKeys.map((key) => failureGroup(failure(2, { key, raw: "what it answered" }))),
    ...personStates.map((state) => waitingGroup({ ...hosts(2), state })),
    ...states.map((state) => overLimitGroup({ ...hosts(2), state })),
    brakeGroup(brake),
    brakeGroup({ ...brake, id: "b2", asks: ["gold", "silver"] }),
    ...securityEventNames.map((event) => securityGroup({ ...security, event })),
    ...approvalKinds.map((of) =>
      decisionGroup({
        of,
        requests: 2,
        hosts: 2,
        host: "gpu-9",
        askedBy: "Mercy",
        reason: "it is worn",
        since: at(2),
      }),
    ),
    ...[0, 2].map((held) => measurementGroup({ ...measured, held, digest: `${held}` })),
    repairGroup({ ...hosts(3), own: false }),
    leaseGroup({ ...hosts(2), system: "Fixit" }),
    noticeGroup({ notices: 2, message: "New power feed", ref: "N-1", since: at(0), startsAt: at(40) }),
    heldGroup(hosts(2)),
    webhookGroup({ webhooks: 2, off: 0, name: "chat", since: at(0) }),
    endingGroup(ending),
  ];
}

it("says of measurements that no bundle expects what they hold", () => {
  expect(measurementGroup(measured)).toMatchObject({
    title: "2 hosts booted what no bundle expects",
    why: "Dell Inc. R750 at north, with the same measurements, gpu-9 among them. 2 hosts get no step until they are expected.",
    ...{ hosts: 2, effect: "+2 hosts" },
  });
  expect(measurementGroup({ ...measured, hosts: 1, held: 0, manufacturer: "", model: "" })).toMatchObject({
    title: "gpu-9 booted what no bundle expects",
    why: "Hardware that tells no model at north, with the same measurements. The site only observes, so they hold no host.",
    hosts: 0,
  });
});

describe("the order", () => {
  const waits = overLimitGroup({ ...hosts(1, 2), state: "Assigned/WaitingForNetworkConfig" });
  const many = failureGroup(failure(12));
  const older = overLimitGroup({ ...hosts(4), state: "WaitingForCleanup/Init", since: at(1) });
  const newer = overLimitGroup({ ...hosts(4), state: "WaitingForCleanup/HostCleanup", since: at(8) });
  const low = securityGroup({ ...security, event: "agentCallRefused", since: at(0) });
  const high = securityGroup(security);
  const soon = endingGroup(ending);
  const ordered = [high, low, waits, many, older, newer, soon];
  it("is security, tenants who wait, hosts that come back, what ends soon; the worst, most and oldest first", () =>
    expect(inOrder([...ordered].toReversed())).toEqual(ordered));
  it("does not depend on the order of the facts", () =>
    fc.assert(
      fc.property(fc.shuffledSubarray([...every()], { minLength: 2 }), (some) => {
        const once = inOrder(some).map(({ key }) => key);
        expect(inOrder(some.toReversed()).map(({ key }) => key)).toEqual(once);
      }),
      { numRuns: 30 },
    ));
});

describe("who sees what", () => {
  const provider = nextKinds.filter((kind) => kind !== "notice" && kind !== "held");
  it.each([
    ["operator", provider.filter((kind) => kind !== "webhook")],
    ["provider-admin", provider],
    ["tenant-admin", ["webhook", "notice"]],
    ["repair-tenant-admin", ["repair", "held", "webhook", "notice"]],
    ["auditor", provider],
  ] as const)("%s", (role, kinds) => expect(kindsOf(role)).toEqual(kinds));
  it("everybody has the page", () => {
    for (const role of roles) expect(pages.next.right, role).toBe("next.read");
  });
});

describe("a group's history", () => {
  it.each([
    ["next.assign", { owner: null }, { owner: "Mercy" }, "took it"],
    ["next.assign", { owner: "Sara" }, { owner: "Mercy" }, "took it from Sara"],
    ["next.assign", {}, { owner: "Sara", note: "case 7" }, "handed it over to Sara, noted “case 7”"],
    ["next.assign", { owner: "Mercy" }, { owner: null }, "put it back"],
    ["next.assign", { owner: "Mercy" }, { owner: "Mercy", note: "x" }, "kept the owner, noted “x”"],
    ["next.note", { note: "a" }, { note: "b" }, "noted “b”"],
    ["next.note", { note: "a" }, { note: "" }, "removed the note"],
    [
      "next.snooze",
      {},
      { snoozedUntil: "2026-12-01T08:00:00.000Z", reason: "the part comes" },
      "snoozed it until 1 Dec 2026, 08:00:00 UTC: “the part comes”",
    ],
    ["next.wake", {}, {}, "ended the snooze"],
    [
      "failure.note",
      {},
      { owner: "Sara", note: "case 7", snoozedUntil: null },
      "saved owner and note on the page of failures: Sara has it, noted “case 7”",
    ],
    ["next.snooze", {}, { snoozedUntil: 7, reason: null }, "snoozed it"],
  ] as const)("%s from %j to %j", (action, before, after, words) =>
    expect(formatGroupEvent(action, "Mercy", { before, after })).toBe(words),
  );
});
