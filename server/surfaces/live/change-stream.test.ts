// What a stream sends: not too often, nothing of other tenants, and nothing lost.
import { beforeEach, describe, expect, it } from "vitest";
import { formatPosition } from "@/server/db/feed/live-feed";
import type { FeedRow } from "@/server/db/feed/live-feed";
import { ChangeStream, opening } from "@/server/surfaces/live/change-stream";
import { visibleChanges } from "@/server/usecases/hosts/follow-changes";
import type { Scope } from "@/server/usecases/read";

let nowMs = 0;
let due: { atMs: number; work: () => void }[] = [];
let sent: string[] = [];
let takes = true;
const clock = {
  nowMs: () => nowMs,
  later: (ms: number, work: () => void) => {
    const entry = { atMs: nowMs + ms, work };
    due.push(entry);
    return () => (due = due.filter((other) => other !== entry));
  },
};
function pass(ms: number) {
  nowMs += ms;
  for (const entry of due.filter(({ atMs }) => atMs <= nowMs)) {
    due = due.filter((other) => other !== entry);
    entry.work();
  }
}
const row = (id: number, hostId: string, tenantId: string | null = null): FeedRow => ({
  xid: BigInt(id),
  id: BigInt(id),
  atMs: 5_000,
  hostId,
  tenantId,
});
const stream = (scope: Scope = { kind: "all" }) => {
  const live = new ChangeStream({
    from: formatPosition(row(0, "none")),
    clock,
    send: (text) => (takes ? (sent.push(text), true) : false),
  });
  return {
    add: (rows: readonly FeedRow[]) => {
      const changes = visibleChanges(scope, rows);
      if (changes !== null) live.add(changes);
    },
    heartbeat: () => live.heartbeat(),
    close: () => live.close(),
  };
};
const hosts = () => [...sent.join("").matchAll(/"hostId":"(\w+)"/g)].map((match) => match[1]);
const ids = () => [...sent.join("").matchAll(/^id: (.*)$/gm)].map((match) => match[1]);

beforeEach(() => {
  nowMs = 0;
  due = [];
  sent = [];
  takes = true;
});

describe("a change stream", () => {
  it("sends the first change at once, with its position", () => {
    stream().add([row(1, "a")]);
    expect(sent).toEqual(['event: change\nid: 1.1.5\ndata: {"hostId":"a"}\n\n']);
  });
  it("sends at most two changes of a host per second", () => {
    const live = stream();
    for (let step = 0; step < 100; step += 1) {
      live.add([row(step + 1, "a")]);
      pass(10);
    }
    expect(hosts().length).toBeLessThanOrEqual(3);
    pass(1000);
    expect(ids().at(-1)).toBe("100.100.5");
  });
  it("says a host once, and the position with the last of a sending", () => {
    const live = stream();
    live.add([row(1, "x")]);
    live.add([row(2, "a"), row(3, "b"), row(4, "a")]);
    pass(500);
    expect(hosts()).toEqual(["x", "a", "b"]);
    expect(ids()).toEqual(["1.1.5", "4.4.5"]);
  });
  it("tells a tenant of its own hosts only", () => {
    const live = stream({ kind: "tenant", tenantId: "t" });
    live.add([row(1, "a", "other"), row(2, "b", "t"), row(3, "c", null)]);
    expect(hosts()).toEqual(["b"]);
  });
  it("moves a tenant's position over what it may not see", () => {
    const live = stream({ kind: "tenant", tenantId: "t" });
    live.add([row(7, "a", "other")]);
    live.heartbeat();
    live.heartbeat();
    expect(sent).toEqual(["id: 7.7.5\n\n", ": still here\n\n"]);
  });
  it("keeps what a slow reader could not take", () => {
    const live = stream();
    takes = false;
    live.add([row(1, "a")]);
    live.add([row(2, "b")]);
    takes = true;
    pass(500);
    expect(hosts()).toEqual(["a", "b"]);
  });
  it("sends nothing after it was closed", () => {
    const live = stream();
    live.add([row(1, "a")]);
    live.add([row(2, "b")]);
    live.close();
    pass(1000);
    expect(hosts()).toEqual(["a"]);
  });
});

it("begins with a reset where something may have been missed", () => {
  expect(opening("3.3.5", false)).toBe("retry: 2000\n\nid: 3.3.5\n\n");
  expect(opening("3.3.5", true)).toContain("event: reset\nid: 3.3.5\ndata: {}\n\n");
});
