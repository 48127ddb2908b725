// Test data for cleaning: a catalogue of three steps, the scopes, a runbook, and estimates.
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type {
  Catalogue,
  CatalogueStep,
  CleaningEstimate,
  CleaningScopes,
  RunbookLine,
} from "@/server/surfaces/trpc/types";

const ids = {
  host: "00000000-0000-4000-8000-0000000000a1",
  site: "00000000-0000-4000-8000-0000000000b1",
  runbook: "00000000-0000-4000-8000-0000000000c1",
} as const;

const step = (of: Pick<CatalogueStep, "interface" | "step"> & Partial<CatalogueStep>): CatalogueStep => ({
  name: `${of.interface}.${of.step}`,
  summary: `Does ${of.step}.`,
  where: "agent",
  abortable: true,
  erases: false,
  restarts: false,
  reserved: false,
  state: "WaitingForCleanup/HostCleanup",
  proves: [],
  failureCause: "CleanFailed",
  args: [],
  manager: null,
  defaultPriority: 10,
  priority: 10,
  source: "default",
  overrides: { site: null, sku: null, host: null },
  applies: true,
  ...of,
});

const steps: readonly CatalogueStep[] = [
  step({ interface: "deploy", step: "erase_nvme", erases: true, abortable: false }),
  step({ interface: "power", step: "reboot", where: "controller", restarts: true, reserved: true }),
  step({ interface: "power", step: "power_off", where: "controller", reserved: true }),
];

/** The catalogue of one Manageable host. */
export const catalogue: Catalogue = {
  subject: {
    kind: "host",
    id: ids.host,
    name: "r1-h01",
    site: { id: ids.site, name: "a" },
    sku: null,
    hardwareType: "redfish",
  },
  steps,
  order: [],
  ties: [],
  agent: null,
  host: { state: "Manageable", stateVersion: "4", traits: ["CUSTOM_A"], automatedClean: null },
};

export const scopes: CleaningScopes = {
  sites: [],
  skus: [],
  hardwareTypes: [],
  traits: ["CUSTOM_A", "CUSTOM_B"],
  mayOverride: true,
  mayWriteRunbooks: true,
  mayClean: true,
};

export const runbook: RunbookLine = {
  id: ids.runbook,
  name: "Blink",
  description: "",
  traits: ["CUSTOM_A"],
  steps: [
    { interface: "power", step: "reboot", args: {} },
    { interface: "power", step: "power_off", args: {} },
  ],
  erases: false,
  version: 3,
  updatedAt: new Date("2026-11-20T10:00:00Z"),
  updatedByName: null,
  hosts: 1,
};

const minuteMs = 60_000;

/** Each step takes a minute, an erasing step nine. */
export function estimateOf(asked: readonly ManualStep[]): CleaningEstimate {
  const estimated = asked.map(({ interface: name, step: of }, index) => {
    const erases = of.startsWith("erase");
    return {
      index,
      name: `${name}.${of}`,
      expectedMs: erases ? 9 * minuteMs : minuteMs,
      basis: "catalogue" as const,
      runs: 0,
      limitMs: 10 * minuteMs,
      restarts: false,
      erases,
      abortable: !erases,
      where: "agent" as const,
      devices: [],
    };
  });
  return {
    faults: [],
    refusal: null,
    steps: estimated,
    expectedMs: estimated.reduce((sum, { expectedMs }) => sum + expectedMs, 0),
    personAt: null,
    limitMs: 10 * minuteMs * asked.length,
    restarts: 0,
    erases: [],
    cannotStop: [],
    locks: "nothing",
    endState: "Manageable",
    abandons: null,
    debtDrives: 0,
  };
}
