// No dead ends: what "check next" of a state leads to exists, and a person with the right may do something wherever a host can stop.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { program } from "@/docs/testing/command-line";
import { hostTabs } from "@/components/hosts/one/host-tabs";
import { reachOf } from "@/server/domain/access/access";
import { interruptionFacts } from "@/server/domain/cleaning/interruptions";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import {
  cleaningActionNames,
  hostActionNames,
  hostActions,
  hostIntents,
} from "@/server/domain/hosts/host-actions";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import { refusal } from "@/server/domain/lifecycle/intents";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { nextOf, pointedDocs, pointedPages, pointedTabs } from "@/server/domain/lifecycle/next-pointers";
import { describeState, stateLimitMs } from "@/server/domain/lifecycle/state-table";
import { allStates, isCleaning, isOnHold, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { appRouter } from "@/server/surfaces/trpc/router";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const routes = globSync("**/page.tsx", { cwd: at("app") }).map(
  (file) =>
    `/${file
      .split("/")
      .slice(0, -1)
      .filter((part) => !part.startsWith("("))
      .join("/")}`,
);

/** A host as it usually stands in a state: its reclamation open, its cleaning between two steps, or on hold. */
function factsIn(state: State): IntentFacts {
  const cleaning = {
    ...emptyCleaning(),
    hold: isOnHold(state)
      ? {
          by: { personId: null, name: "a" },
          reason: "",
          since: "2026-11-22T08:00:00.000Z",
          until: null,
          forMs: 1,
        }
      : null,
  };
  const tenancy = topLevel(state) === "Assigned";
  return {
    state,
    instanceOpen: tenancy,
    releaseRequested: false,
    reclamationOpen: true,
    allocatable: state === "Ready",
    erasing: false,
    eraseUntilMs: null,
    drivesHeard: false,
    retired: false,
    protected: false,
    deletionPrevented: false,
    cleaning: interruptionFacts({
      state,
      open: true,
      running: null,
      nowMs: 0,
      agentSeenMs: 0,
      agentFreshMs: 1,
      erasing: false,
      cleaning,
    }),
  };
}

const possible = (state: State) =>
  [...hostActionNames, ...cleaningActionNames].filter(
    (name) =>
      actionRefusal(name, factsIn(state), {
        on: state === "ReturnToAllocation/AwaitingHealth",
        by: "person",
        touchUncovered: false,
      }) === null,
  );

describe("what a state points to", () => {
  it.each(allStates())("%s: acts that are possible there, tabs, pages and documents that exist", (state) => {
    for (const pointer of nextOf(state)) {
      if (pointer.kind === "act") expect(possible(state)).toContain(pointer.act);
      if (pointer.kind === "tab") expect(hostTabs).toContain(pointer.tab);
      if (pointer.kind === "page") expect(routes).toContain(pointedPages[pointer.page].href);
      if (pointer.kind === "doc") {
        const { page, heading } = pointedDocs[pointer.doc];
        expect(readFileSync(at(`docs/${page}.md`), "utf8")).toMatch(new RegExp(`^#+ ${heading}$`, "m"));
      }
    }
  });

  it("is said in the tabs' own words", () => {
    for (const tab of hostTabs)
      if (Object.hasOwn(pointedTabs, tab))
        expect(Object.values(pointedTabs)).toContain(tab.charAt(0).toUpperCase() + tab.slice(1));
  });
});

describe("each act", () => {
  const names = [...hostActionNames, ...cleaningActionNames];
  const intents: ReadonlySet<string> = new Set(hostIntents);
  const ofCleaning: ReadonlySet<string> = new Set(cleaningActionNames);
  const procedureOf = (name: string): string => {
    if (intents.has(name)) return "host.act";
    return ofCleaning.has(name) ? `cleaning.${name === "clean" ? "start" : name}` : `host.${name}`;
  };

  it.each(names)("%s has a command, a procedure, and a role that may", (name) => {
    const row = hostActions[name];
    // Words, then at most one option with its value.
    const [words = "", flags] = row.command.split(/ (?=--)/);
    const found = words
      .split(" ")
      .reduce<Command | undefined>(
        (command, word) => command?.commands.find((child) => child.name() === word),
        program,
      );
    expect({ command: row.command, found: found !== undefined }).toEqual({
      command: row.command,
      found: true,
    });
    if (flags !== undefined) expect(found?.options.map((option) => option.flags)).toContain(flags);
    expect(Object.keys(appRouter._def.procedures)).toContain(procedureOf(name));
    expect(reachOf("provider-admin", row.right)).toBe("any");
  });
});

describe("wherever a host can stop", () => {
  /** What moves it, or removes what holds it back; deletion is the last resort and none of these. */
  const exits = [
    "retry",
    "restart",
    "manage",
    "provide",
    "clean",
    "abort",
    "resume",
    "inspect",
    "assignSku",
    "clearMaintenance",
  ] as const;
  it.each(allStates())("%s: a person may let it go on, or a limit shows that it does not", (state) => {
    const may = possible(state);
    const mayLeave =
      exits.some((name) => may.includes(name)) ||
      refusal("release", factsIn(state)) === null ||
      // A repair tenant claims it.
      refusal("assign", factsIn(state)) === null;
    const stops = describeState(state).tone !== "working" || isCleaning(state);
    // The commit that enters these removes the host.
    const removed = state === "ForceDeletion" || state === "Decommissioned";
    if (stops && !removed) expect({ state, mayLeave }).toEqual({ state, mayLeave: true });
    else if (!removed) expect(mayLeave || stateLimitMs(state, defaultPolicy()) !== null).toBe(true);
    if (state !== "ForceDeletion") expect(may).toContain("forceDelete");
  });
});
