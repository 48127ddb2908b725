// TEST DATA: what one turn of the release bench measured.
import type { Measured } from "@/bench/release/release";

const tenHosts: Measured = {
  hosts: 10,
  seconds: 0.5,
  processorMs: { web: 20, controller: 100, simulator: 300, database: 80 },
  database: {
    transactions: 200,
    walBytes: 102_400,
    statements: 60,
    evidenceBytes: 204_800,
    detailBytes: 51_200,
  },
  fleet: {
    redfishRequests: 80,
    bootRequests: 30,
    agentRequests: 110,
    agentStarts: 20,
    agentCrashes: 0,
    powerActionsTotal: 20,
    resetsDuringErase: 0,
    networkAcknowledgements: 20,
    hostsWithTenantData: 0,
  },
  transitions: 120,
  commits: 80,
  auditEvents: 10,
  costs: [],
  statesMs: [],
  releaseMs: [1, 2, 3, 40],
  signalToHandler: {
    buckets: [
      { le: 0.01, count: 60 },
      { le: 0.1, count: 100 },
      { le: Infinity, count: 100 },
    ],
    count: 100,
    sum: 1,
  },
};

/** Ten hosts, with some figures changed. */
export const measuredRelease = (changes: Partial<Measured> = {}): Measured => ({ ...tenHosts, ...changes });
