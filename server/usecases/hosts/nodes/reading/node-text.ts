// Ironic's words for a node's states, from its row. Words are cached by key: a thousand nodes have few.
import {
  inspections,
  ironicProvision,
  waitsForAgent,
  type ProvisionState,
} from "@/server/domain/lifecycle/ironic-projection";
import { powerIntents, type PowerIntent } from "@/server/domain/lifecycle/signals";
import { allStates, storedState, type State, type StoredState } from "@/server/domain/lifecycle/states";
import type { NodeRow } from "@/server/usecases/hosts/nodes/reading/node-columns";

export type ProvisionRow = Pick<
  NodeRow,
  "id" | "state" | "commanded" | "inspection" | "pending" | "reclaiming" | "released" | "instance_id"
>;

const known = new Map<string, ProvisionState>();
const maxKnown = 5_000;

export function provisionOf(row: ProvisionRow): ProvisionState {
  const { state, commanded, inspection, reclaiming, released } = row;
  const instanceOpen = row.instance_id !== null;
  const pending = row.pending ?? "";
  const key = `${state}|${commanded ? 1 : 0}${reclaiming ? 1 : 0}${released ? 1 : 0}${instanceOpen ? 1 : 0}${inspection ?? ""}|${pending}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const stored = storedState(state);
  const words = ironicProvision(stored, {
    pending: pending === "" ? [] : pending.split(","),
    releaseRequested: released,
    instanceOpen,
    reclamationOpen: reclaiming,
    agentWorking: waitsForAgent(stored, commanded),
    inspection,
  });
  if (known.size >= maxKnown) known.clear();
  known.set(key, words);
  return words;
}

const both = [false, true];

const factsTable = both.flatMap((commanded) =>
  both.flatMap((reclaiming) =>
    both.flatMap((released) =>
      both.flatMap((held) =>
        [null, ...inspections].map((inspection) => ({ commanded, reclaiming, released, held, inspection })),
      ),
    ),
  ),
);

function textOf(state: StoredState): readonly (readonly [key: string, word: string])[] {
  const words = factsTable.map(
    ({ commanded, reclaiming, released, held, inspection }): readonly [string, string] => {
      const digits = `${[commanded, reclaiming, released, held].map(Number).join("")}${inspection ?? ""}`;
      return [
        `${state}|${digits}`,
        provisionOf({
          id: "",
          state,
          commanded,
          inspection,
          reclaiming,
          released,
          pending: null,
          instance_id: held ? "" : null,
        }).state,
      ];
    },
  );
  const [first] = words;
  return first !== undefined && words.every(([, word]) => word === first[1]) ? [[state, first[1]]] : words;
}

/** Placeholders for states of another release: one for failures, and one for all others. */
const ofAnotherRelease = ["Failed/*", "*"].map(storedState);

/**
 * JSON by which the database filters and sorts: the word for each state, or for each combination of facts if it depends on them. Pending signals are
 * not included.
 */
export const provisionTable: string = JSON.stringify(
  Object.fromEntries([...allStates(), ...ofAnotherRelease].flatMap(textOf)),
);

const textByState = allStates().map((state) => ({
  state,
  words: new Set(textOf(state).map(([, word]) => word)),
}));

const textOfOthers = new Set(ofAnotherRelease.flatMap((state) => textOf(state).map(([, word]) => word)));

/** Whether a state of another release may have this word. */
export const mayBeUnknown = (word: string): boolean => textOfOthers.has(word);

/** Known states that may have this word, depending on the facts: the others can be skipped. */
export const statesOfWord = (word: string): readonly State[] =>
  textByState.flatMap(({ state, words }) => (words.has(word) ? [state] : []));

/** Ironic's states; filtering by any other word is an error. */
export const provisionStates: ReadonlySet<string> = new Set([
  "enroll",
  "verifying",
  "manageable",
  "available",
  "active",
  "deploying",
  "wait call-back",
  "deploy failed",
  "deploy hold",
  "deleting",
  "deleted",
  "cleaning",
  "clean wait",
  "clean hold",
  "clean failed",
  "inspecting",
  "inspect wait",
  "inspect failed",
  "adopting",
  "adopt failed",
  "rescue",
  "rescuing",
  "rescue wait",
  "rescue failed",
  "unrescuing",
  "unrescue failed",
  "servicing",
  "service wait",
  "service hold",
  "service failed",
  "error",
  "rebuild",
]);

const powerText: Readonly<Record<string, string>> = {
  on: "power on",
  poweringOn: "power on",
  off: "power off",
  poweringOff: "power off",
};

/** Null if the BMC was not asked, or did not say. */
export const powerWord = (state: string | null): string | null =>
  state === null ? null : (powerText[state] ?? null);

const targets: Readonly<Record<PowerIntent, string>> = {
  powerOn: "power on",
  powerOff: "power off",
  reboot: "rebooting",
  softPowerOff: "soft power off",
  softReboot: "soft rebooting",
};
const isPowerIntent = (kind: string): kind is PowerIntent => powerIntents.some((intent) => intent === kind);

/** The requested power state that is not reached yet; requests show at once, before the controller reads them. */
export function powerTarget({ pending, power_asked }: NodeRow): string | null {
  const asked = pending?.split(",").findLast(isPowerIntent) ?? power_asked;
  return asked != null && isPowerIntent(asked) ? targets[asked] : null;
}

/** The same as SQL, for sorting. */
export const powerSql = `CASE h.power_state WHEN 'on' THEN 'power on' WHEN 'poweringOn' THEN 'power on' WHEN 'off' THEN 'power off' WHEN 'poweringOff' THEN 'power off' END`;

export const faults = ["power failure", "clean failure", "rescue abort failure", "service failure"] as const;

/** Why maintenance was set automatically; null if a person set it. */
export function faultOf({ maintenance_by, state }: NodeRow): (typeof faults)[number] | null {
  if (maintenance_by !== "failure") return null;
  return state === "Failed/BmcUnreachable" ? "power failure" : "clean failure";
}

export const faultSql = `CASE WHEN r.maintenance_by = 'failure' THEN CASE r.state WHEN 'Failed/BmcUnreachable' THEN 'power failure' ELSE 'clean failure' END END`;
