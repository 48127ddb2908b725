// Correct histories of hosts replay without a finding, and every fault injected into one is found, wherever it is.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay, replayEnd } from "@/server/domain/audit-log/self-audit/replay";
import type { Replayed, TransitionRow } from "@/server/domain/audit-log/self-audit/replay";
import type { ReclamationFacts } from "@/server/domain/audit-log/self-audit/proven";
import { hostId, lifeOf, seenNow, trips } from "@/server/domain/audit-log/self-audit/testing/lives";

function findingsOf(rows: readonly TransitionRow[]) {
  let before: Replayed | null = null;
  const found = [];
  for (const row of rows) {
    const { next, findings }: ReturnType<typeof replay> = replay(before, row);
    found.push(...findings);
    before = next;
  }
  return [...found, ...(before === null ? [] : replayEnd(before))];
}

const changed = (rows: readonly TransitionRow[], index: number, change: Partial<TransitionRow>) =>
  rows.map((row, at) => (at === index ? { ...row, ...change } : row));
const withFacts = (change: Partial<ReclamationFacts>) => (rows: readonly TransitionRow[], index: number) => {
  const facts = rows[index]?.reclamation;
  return changed(rows, index, { reclamation: facts == null ? null : { ...facts, ...change } });
};
const indexesOf = (
  rows: readonly TransitionRow[],
  matches: (row: TransitionRow, before?: TransitionRow) => boolean,
) => rows.flatMap((row, index) => (matches(row, rows[index - 1]) ? [index] : []));

interface Fault {
  readonly kind: string;
  /** Rows where the fault can be injected. */
  readonly where: (row: TransitionRow, before?: TransitionRow) => boolean;
  readonly put: (rows: readonly TransitionRow[], index: number) => readonly TransitionRow[];
}

const isReady = ({ state }: TransitionRow) => state === "Ready";
const isOffered = ({ state }: TransitionRow, before?: TransitionRow) =>
  state === "Assigned/WaitingForNetworkConfig" && before?.state.endsWith("AwaitingRepair") === true;
/** Removes rows and closes the gap, as somebody would who knows of the versions. */
const without = (rows: readonly TransitionRow[], drop: (index: number) => boolean) =>
  seenNow(rows.filter((_row, index) => !drop(index)).map((row, index) => ({ ...row, version: index + 1 })));

const faults: Readonly<Record<string, Fault>> = {
  "a transition is missing": {
    kind: "stateHistory",
    where: () => true,
    put: (rows, index) => rows.filter((_row, at) => at !== index),
  },
  "the host is in another state": {
    kind: "stateHistory",
    where: () => true,
    put: (rows) =>
      rows.map((row) => ({ ...row, now: { state: "Assigned/Ready", version: row.now?.version ?? 0 } })),
  },
  "no reclamation": {
    kind: "unprovenReady",
    where: isReady,
    put: (rows, at) => changed(rows, at, { reclamation: null }),
  },
  "another host's reclamation": { kind: "unprovenReady", where: isReady, put: withFacts({ hostId: "x" }) },
  "a manual cleaning": { kind: "unprovenReady", where: isReady, put: withFacts({ kind: "manualCleaning" }) },
  "a reclamation that goes on": {
    kind: "unprovenReady",
    where: isReady,
    put: withFacts({ endedAtMs: null }),
  },
  "a reclamation that ended before": {
    kind: "unprovenReady",
    where: isReady,
    put: withFacts({ endedAtMs: 1 }),
  },
  "an abandoned one": { kind: "unprovenReady", where: isReady, put: withFacts({ outcome: "abandoned" }) },
  "no gates": { kind: "unprovenReady", where: isReady, put: withFacts({ gates: [] }) },
  "a gate that another name stands for": {
    kind: "unprovenReady",
    where: isReady,
    put: (rows, at) => {
      const gates = rows[at]?.reclamation?.gates ?? [];
      return withFacts({ gates: gates.map(([gate, status], n) => [n === 5 ? "x" : gate, status]) })(rows, at);
    },
  },
  "a gate that did not pass": {
    kind: "unprovenReady",
    where: isReady,
    put: (rows, at) => {
      const gates = rows[at]?.reclamation?.gates ?? [];
      return withFacts({ gates: gates.map(([gate], n) => [gate, n === 3 ? "unsatisfied" : "satisfied"]) })(
        rows,
        at,
      );
    },
  },
  "no certificate": { kind: "missingCertificate", where: isReady, put: withFacts({ certificate: null }) },
  "the way back is left out": {
    kind: "unprovenReady",
    // From Assigned/Ready straight to Ready, with the reclamation from before the tenant.
    where: (row, before) =>
      before?.state === "Assigned/Ready" && row.state === "Assigned/BootingWithDiscoveryImage",
    put: (rows, index) => {
      const ready = rows.findIndex(
        (row, at) => at > index && (row.state === "Ready" || row.state.endsWith("AwaitingRepair")),
      );
      const old = rows[index - 1]?.reclamationId ?? null;
      return changed(
        without(rows, (at) => at >= index && at < ready),
        index,
        { state: "Ready", reclamationId: old, reclamation: rows[ready]?.reclamation ?? null },
      );
    },
  },
  "given away while it is cleaned": {
    kind: "unprovenAssignment",
    where: ({ state }) => state.startsWith("WaitingForCleanup/") || state === "Manageable",
    put: (rows, index) =>
      seenNow([
        ...rows.slice(0, index + 1),
        ...rows.slice(index, index + 1).map((row) => ({
          ...row,
          version: index + 2,
          state: "Assigned/WaitingForNetworkConfig",
          reclamation: null,
        })),
      ]),
  },
  "handed to a repair tenant unproven": {
    kind: "unprovenAssignment",
    where: isOffered,
    put: withFacts({ outcome: "abandoned" }),
  },
};

const lives = fc.array(fc.constantFrom(...trips), { maxLength: 6 }).map(lifeOf);

it("finds nothing in a correct life", () => {
  fc.assert(
    fc.property(lives, (rows) => {
      expect(findingsOf(rows)).toEqual([]);
    }),
  );
});

describe.each(Object.entries(faults))("%s", (_name, { kind, where, put }) => {
  it("is found, wherever it is", () => {
    fc.assert(
      fc.property(lives, fc.nat(), (rows, at) => {
        const places = indexesOf(rows, where);
        fc.pre(places.length > 0);
        const broken = put(rows, places[at % places.length] ?? 0);
        const kinds = findingsOf(broken).map((found) => found.kind);
        expect(kinds).toContain(kind);
      }),
    );
  });
});

it("knows a demo by what the log says of its certificate, and by its site until then", () => {
  const life = lifeOf([]);
  const at = life.length - 1;
  const gates: ReclamationFacts["gates"] = (life[at]?.reclamation?.gates ?? []).map(([gate], n) => [
    gate,
    n === 8 ? "not implemented" : "satisfied",
  ]);
  expect(findingsOf(withFacts({ gates, demo: true, certificateDue: false })(life, at))).toEqual([]);
  expect(findingsOf(withFacts({ gates, loggedDemo: true })(life, at))).toEqual([]);
  // Making the site a demo later, or changing the certificate, makes no difference.
  expect(findingsOf(withFacts({ gates, demo: true, certificate: "demo" })(life, at))).toHaveLength(1);
  expect(findingsOf(withFacts({ gates })(life, at))).toEqual([
    {
      kind: "unprovenReady",
      key: expect.stringMatching(`^unprovenReady:${hostId}:${at + 1}:`),
      hostId,
      reclamationId: life[at]?.reclamationId,
      says: "became Ready, but gates did not pass: deviceMemoryCleared is not implemented",
    },
  ]);
});

it("asks fake hardware for no certificate, and nobody while it is not due", () => {
  const life = lifeOf([]);
  const at = life.length - 1;
  const gates: ReclamationFacts["gates"] = (life[at]?.reclamation?.gates ?? []).map(([gate]) => [
    gate,
    "not required: fake hardware",
  ]);
  expect(findingsOf(withFacts({ certificate: null, fake: true, gates })(life, at))).toEqual([]);
  // A machine that was declared fake afterwards.
  expect(findingsOf(withFacts({ certificate: null, fake: true })(life, at))).toHaveLength(1);
  expect(findingsOf(withFacts({ certificate: null, certificateDue: false })(life, at))).toEqual([]);
});

it("tells a larger gap at the same place from the one that somebody acknowledged", () => {
  const life = lifeOf(["release"]);
  const keyWithout = (gap: readonly number[]) =>
    findingsOf(life.filter(({ version }) => !gap.includes(version))).map(({ key }) => key)[0];
  expect(keyWithout([4])).toBe(keyWithout([4]));
  expect(keyWithout([4])).not.toBe(keyWithout([3, 4]));
});

it("does not miss the end of a host that is gone", () => {
  expect(findingsOf(lifeOf(["release"]).map((row) => ({ ...row, now: null })))).toEqual([]);
});
