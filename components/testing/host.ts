// A failed host as the server shows it, for tests.
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

type ActionName = keyof typeof hostActions;

/** An act of the table; `reason` says why it is not possible. */
export const action = (intent: ActionName, reason: string | null = null): HostAction => ({
  intent,
  ...hostActions[intent],
  allowed: reason === null,
  reason,
});

export const failedHost: HostDetail = {
  id: "00000000-0000-4000-8000-0000000000a1",
  name: "r1-h01",
  fake: false,
  manufacturer: "Dell Inc.",
  model: "PowerEdge R750",
  serial: "7LK2QX3",
  bmcAddress: null,
  powerState: "on",
  powerReadAt: null,
  site: "a",
  rack: null,
  slot: null,
  sku: null,
  state: "Failed/CleanFailed",
  tone: "failed",
  label: "Failed",
  live: false,
  since: new Date("2026-11-20T10:00:00Z"),
  limitMs: null,
  overLimit: false,
  overdueMs: null,
  says: "A step failed.",
  waitsFor: "a person",
  checkNext: null,
  next: [],
  step: null,
  percent: null,
  allocatable: false,
  maintenance: null,
  untouched: null,
  reclamation: null,
  instance: null,
  debts: [],
  actions: [
    action("retry"),
    action("setMaintenance"),
    action("forceDelete"),
    action("provide", "It has failed"),
  ],
  unaccounted: [],
  inspection: null,
  queue: null,
  asked: { hold: null, abort: null },
  stepEnds: null,
  cleaningActions: [],
  traits: [],
  automatedClean: null,
  stages: [],
  counts: { gatesHold: 0, gates: 0, reclamations: 1 },
  stateVersion: "7",
};
