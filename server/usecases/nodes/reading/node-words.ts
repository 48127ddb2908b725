// A node's states in Ironic's words, from what its row says. Words by key are kept: a thousand nodes have few.
import {
  ironicProvision,
  waitsForAgent,
  type ProvisionState,
} from "@/server/domain/lifecycle/ironic-projection";
import { powerIntents, type PowerIntent } from "@/server/domain/lifecycle/signals";
import { allStates, isState, type State } from "@/server/domain/lifecycle/states";
import type { NodeRow } from "@/server/usecases/nodes/reading/node-columns";

export type ProvisionRow = Pick<
  NodeRow,
  "id" | "state" | "commanded" | "pending" | "reclaiming" | "released" | "instance_id"
>;

const known = new Map<string, ProvisionState>();
const mostKnown = 5_000;

/** Throws on a state that this version does not know. */
export function provisionOf(row: ProvisionRow): ProvisionState {
  const { state, commanded, reclaiming, released } = row;
  const instanceOpen = row.instance_id !== null;
  const pending = row.pending ?? "";
  const key = `${state}|${commanded ? 1 : 0}${reclaiming ? 1 : 0}${released ? 1 : 0}${instanceOpen ? 1 : 0}|${pending}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!isState(state)) throw new Error(`host ${row.id} is in the unknown state ${state}`);
  const words = ironicProvision(state, {
    pending: pending === "" ? [] : pending.split(","),
    releaseRequested: released,
    instanceOpen,
    reclamationOpen: reclaiming,
    agentWorking: waitsForAgent(state, commanded),
  });
  if (known.size >= mostKnown) known.clear();
  known.set(key, words);
  return words;
}

const both = [false, true];

const factsTable = both.flatMap((commanded) =>
  both.flatMap((reclaiming) =>
    both.flatMap((released) => both.map((held) => ({ commanded, reclaiming, released, held }))),
  ),
);

function wordsOf(state: State): readonly (readonly [key: string, word: string])[] {
  const words = factsTable.map(({ commanded, reclaiming, released, held }): readonly [string, string] => {
    const digits = [commanded, reclaiming, released, held].map(Number).join("");
    return [
      `${state}|${digits}`,
      provisionOf({
        id: "",
        state,
        commanded,
        reclaiming,
        released,
        pending: null,
        instance_id: held ? "" : null,
      }).state,
    ];
  });
  const [first] = words;
  return first !== undefined && words.every(([, word]) => word === first[1]) ? [[state, first[1]]] : words;
}

/** JSON by which the database filters and sorts: the word of each state, or of each combination of facts where it depends on them. What is pending is not in it. */
export const provisionTable: string = JSON.stringify(Object.fromEntries(allStates().flatMap(wordsOf)));

const wordsByState = allStates().map((state) => ({
  state,
  words: new Set(wordsOf(state).map(([, word]) => word)),
}));

/** The states of ours that may bear a word, whatever the facts: the others need not be looked at closer. */
export const statesOfWord = (word: string): readonly State[] =>
  wordsByState.flatMap(({ state, words }) => (words.has(word) ? [state] : []));

/** Ironic's states; a filter by any other word is an error. */
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

const powerWords: Readonly<Record<string, string>> = {
  on: "power on",
  poweringOn: "power on",
  off: "power off",
  poweringOff: "power off",
};

/** Null where the BMC has not been asked or did not say. */
export const powerWord = (state: string | null): string | null =>
  state === null ? null : (powerWords[state] ?? null);

const targets: Readonly<Record<PowerIntent, string>> = {
  powerOn: "power on",
  powerOff: "power off",
  reboot: "rebooting",
};
const isPowerIntent = (kind: string): kind is PowerIntent => powerIntents.some((intent) => intent === kind);

/** What was asked for and is not reached yet; what the controller has not read shows at once. */
export function powerTarget({ pending, power_asked }: NodeRow): string | null {
  const asked = pending?.split(",").findLast(isPowerIntent) ?? power_asked;
  return asked != null && isPowerIntent(asked) ? targets[asked] : null;
}

/** The same for the database to sort by. */
export const powerSql = `CASE h.power_state WHEN 'on' THEN 'power on' WHEN 'poweringOn' THEN 'power on' WHEN 'off' THEN 'power off' WHEN 'poweringOff' THEN 'power off' END`;

export const faults = ["power failure", "clean failure", "rescue abort failure", "service failure"] as const;

/** Why maintenance was set by itself; null where a person set it. */
export function faultOf({ maintenance_by, state }: NodeRow): (typeof faults)[number] | null {
  if (maintenance_by !== "failure") return null;
  return state === "Failed/BmcUnreachable" ? "power failure" : "clean failure";
}

export const faultSql = `CASE WHEN r.maintenance_by = 'failure' THEN CASE r.state WHEN 'Failed/BmcUnreachable' THEN 'power failure' ELSE 'clean failure' END END`;
