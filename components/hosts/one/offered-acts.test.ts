// Which acts a host offers: what is possible now, and why the others are not.
import { expect, test } from "vitest";
import { cleaningActionNames, hostActionNames, hostActions } from "@/server/domain/hosts/host-actions";
import { offeredActs } from "@/components/hosts/one/offered-acts";

const act = (intent: (typeof hostActionNames)[number] | (typeof cleaningActionNames)[number]) => ({
  intent,
  ...hostActions[intent],
  allowed: true,
  reason: null,
});
const acts = {
  actions: hostActionNames.map(act),
  cleaningActions: cleaningActionNames.map(act),
  advised: null,
};
const none = { hold: null, abort: null };

test("every act of the table is offered, once", () => {
  const offered = offeredActs({ ...acts, asked: none }).map(({ intent }) => intent);
  expect(offered.toSorted()).toEqual(Object.keys(hostActions).toSorted());
});

test("what lets it go on comes first, what takes it for good last", () => {
  const offered = offeredActs({ ...acts, asked: none }).map(({ intent }) => intent);
  // A drive is owed and missing: a retry cannot help until its disposition is recorded.
  expect(offered.slice(0, 2)).toEqual(["disposeDrive", "retry"]);
  expect(offered.at(-1)).toBe("forceDelete");
});

test("what is advised, by what was tried, comes before all others, if it is an act on the host", () => {
  const offered = (advised: "restart" | "replaceDrive") =>
    offeredActs({ ...acts, asked: none, advised }).map(({ intent }) => intent);
  expect(offered("restart").slice(0, 3)).toEqual(["restart", "disposeDrive", "retry"]);
  expect(offered("replaceDrive")).toEqual(offeredActs({ ...acts, asked: none }).map(({ intent }) => intent));
});

test("a hold that is there is changed, not asked for", () => {
  const held = { hold: { byName: "Ola", reason: "look at bay 3", since: null, until: null }, abort: null };
  expect(offeredActs({ ...acts, asked: held }).find(({ intent }) => intent === "hold")?.words).toBe(
    "Change hold",
  );
  expect(offeredActs({ ...acts, asked: none }).find(({ intent }) => intent === "hold")?.words).toBe(
    hostActions.hold.words,
  );
});
