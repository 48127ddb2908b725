// What the console reads about cleaning: the catalogue, overrides, runbooks, and estimates of manual cleanings.
import { z } from "zod";
import { manualFault, manualStep } from "@/server/domain/cleaning/plan/manual";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { settingEffect } from "@/server/contract/cleaning/policy-effects";
import { filterProblem } from "@/server/contract/hosts/hosts-answers";
import { list, record, state } from "@/server/contract/define";

export const catalogueArg = record({
  name: z.string(),
  /** A sentence for people, with the unit. */
  description: z.string(),
  required: z.boolean(),
  /** JSON Schema (2020-12) of the value, from which the console makes a form. The server validates with the original schema. */
  schema: z.custom<z.core.JSONSchema.BaseSchema>((value) => typeof value === "object"),
});
export type CatalogueArg = z.infer<typeof catalogueArg>;

export const catalogueStep = record({
  /** `interface.step` */
  name: z.string(),
  interface: z.enum(stepInterfaces),
  step: z.string(),
  summary: z.string(),
  where: z.enum(["agent", "controller"]),
  /** May be stopped while it runs; Reclaim waits for any other step to end. */
  abortable: z.boolean(),
  erases: z.boolean(),
  restarts: z.boolean(),
  /** Performed by the controller itself, on any interface: hold, wait and the power actions. */
  reserved: z.boolean(),
  state,
  proves: list(z.enum(gateNames)),
  failureCause: z.enum(failureCauses),
  args: list(catalogueArg),
  /** The hardware manager that offers the step, if only the host's agent knows it; null for our own steps. */
  manager: record({ name: z.string(), version: z.string() }).nullable(),
  defaultPriority: z.number(),
  /** The priority in force; 0 means never automatically. */
  priority: z.number(),
  source: z.union([z.literal("default"), z.enum(overrideScopes)]),
  /** The override at each scope that counts for the subject; null if nothing is set, or the scope is not known here. */
  overrides: z.record(z.enum(overrideScopes), z.number().nullable()).readonly(),
  /** Whether the subject has hardware for this step; null if not known. */
  applies: z.boolean().nullable(),
});
export type CatalogueStep = z.infer<typeof catalogueStep>;

/** What the catalogue is shown for. */
export const catalogueSubject = record({
  kind: z.enum(["site", "sku", "host", "hardwareType"]),
  id: z.string(),
  name: z.string(),
  /** The site and SKU whose overrides count for the subject; null where none does. */
  site: record({ id: z.string(), name: z.string() }).nullable(),
  sku: record({ id: z.string(), name: z.string() }).nullable(),
  hardwareType: z.string().nullable(),
});
export type CatalogueSubject = z.infer<typeof catalogueSubject>;

export const catalogue = record({
  subject: catalogueSubject,
  steps: list(catalogueStep),
  /** Names of the steps that an automated plan would run now, in order. For a host with a known inventory, only steps that apply. */
  order: list(z.string()),
  /** Steps of one interface with equal priority, in words. Normally empty, because saving refuses ties. */
  ties: list(z.string()),
  /** What the host's newest agent reported about itself; null if none ever did, or if the subject is no host. */
  agent: record({
    version: z.string(),
    reportedAt: z.date(),
    managers: list(record({ name: z.string(), version: z.string() })),
    /** Step files in the agent's image that it cannot offer, each with the reason. While there are any, no automated plan is made. */
    faults: list(z.string()),
  }).nullable(),
  /** For a host: its state and its traits. */
  host: record({
    state,
    stateVersion: z.string(),
    traits: list(z.string()),
    automatedClean: z.boolean().nullable(),
  }).nullable(),
});
export type Catalogue = z.infer<typeof catalogue>;

/** What can be selected on the cleaning pages. */
export const cleaningScopes = record({
  sites: list(
    record({
      id: z.string(),
      name: z.string(),
      hosts: z.number(),
      automatedClean: z.boolean(),
      policyVersion: z.number(),
    }),
  ),
  skus: list(record({ id: z.string(), name: z.string(), hosts: z.number() })),
  hardwareTypes: list(record({ name: z.string(), hosts: z.number() })),
  /** Traits that at least one host or runbook has. */
  traits: list(z.string()),
  mayOverride: z.boolean(),
  mayWriteRunbooks: z.boolean(),
  mayClean: z.boolean(),
});
export type CleaningScopes = z.infer<typeof cleaningScopes>;

export const sitePolicyView = record({
  siteId: z.string(),
  site: z.string(),
  version: z.number(),
  createdAt: z.date(),
  /** Null for the policy that the site began with. */
  createdByName: z.string().nullable(),
  policy,
});
export type SitePolicyView = z.infer<typeof sitePolicyView>;

export const overrideLine = record({
  scope: z.enum(overrideScopes),
  scopeId: z.string(),
  /** Name of the site, SKU or host; null if it is gone. */
  scopeName: z.string().nullable(),
  interface: z.string(),
  step: z.string(),
  priority: z.number(),
  /** Null for a step that only agents offer. */
  defaultPriority: z.number().nullable(),
  changedAt: z.date(),
  changedByName: z.string().nullable(),
});
export type OverrideLine = z.infer<typeof overrideLine>;

export const orderLine = record({
  name: z.string(),
  priority: z.number(),
  source: z.union([z.literal("default"), z.enum(overrideScopes)]),
});
export type OrderLine = z.infer<typeof orderLine>;

/** Where the tie would be: at the scope itself, or at one below it. */
export const overrideTie = record({
  /** Such as "site a", "SKU R750 at site a", "12 hosts of SKU R750 at site a, gpu-a-0417 among them". */
  where: z.string(),
  steps: z.tuple([z.string(), z.string()]).readonly(),
  priority: z.number(),
  message: z.string(),
  /** How many hosts have the tie; 0 if none does yet. */
  hosts: z.number(),
});
export type OverrideTie = z.infer<typeof overrideTie>;

export const overridePreview = record({
  /** The automated order at the scope itself, now and afterwards, whether or not each step applies to each host. */
  before: list(orderLine),
  after: list(orderLine),
  /** If not empty, saving is refused. */
  ties: list(overrideTie),
  /** Hosts whose next plan may change. Existing plans do not. */
  hosts: z.number(),
  /** Gates that rest on the step, if it would no longer run. */
  unproven: list(z.enum(gateNames)),
  /** What the override would have changed in reclamations there of the last 90 days; null if it is already set. */
  effect: settingEffect.nullable(),
});
export type OverridePreview = z.infer<typeof overridePreview>;

export const runbookLine = record({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** A host must have at least one of them. */
  traits: list(z.string()),
  steps: list(manualStep),
  erases: z.boolean(),
  version: z.number(),
  updatedAt: z.date(),
  updatedByName: z.string().nullable(),
  /** Hosts that share a trait with the runbook. */
  hosts: z.number(),
});
export type RunbookLine = z.infer<typeof runbookLine>;

/** Hosts that match a filter: those that can be cleaned manually, and the others with the reason why not; the first few of each. */
export const cleaningCandidates = record({
  can: list(record({ hostId: z.string(), name: z.string(), state })),
  cannot: list(record({ hostId: z.string(), name: z.string(), state, reason: z.string() })),
  /** How many hosts the filter matches. */
  total: z.number(),
  problem: filterProblem.nullable(),
});
export type CleaningCandidates = z.infer<typeof cleaningCandidates>;

export const estimatedDevice = record({
  serial: z.string(),
  model: z.string(),
  slot: z.string().nullable(),
  media: z.string(),
  /** As decimal digits. */
  capacityBytes: z.string(),
});
export type EstimatedDevice = z.infer<typeof estimatedDevice>;

export const estimatedStep = record({
  /** Index in the list, from 0. */
  index: z.number(),
  name: z.string(),
  /** Null if a person decides. */
  expectedMs: z.number().nullable(),
  /** Source of the estimate: erases of drives of the same models, runs on this host, runs on its SKU, the catalogue, or a person who resumes it. */
  basis: z.enum(["model", "host", "sku", "catalogue", "person"]),
  /** How many runs `expectedMs` is the median of; 0 if it is the catalogue's. */
  runs: z.number(),
  limitMs: z.number(),
  restarts: z.boolean(),
  erases: z.boolean(),
  abortable: z.boolean(),
  where: z.enum(["agent", "controller"]),
  /** The devices that the step erases. */
  devices: list(estimatedDevice),
});
export type EstimatedStep = z.infer<typeof estimatedStep>;

export const cleaningEstimate = record({
  /** Everything that is wrong with the list. If not empty, it cannot run, and the rest covers only the steps without a fault. */
  faults: list(manualFault),
  /** Why the host cannot run it now; null if it can. */
  refusal: z.string().nullable(),
  steps: list(estimatedStep),
  /** Until the first step that waits for a person, or until the end. */
  expectedMs: z.number(),
  /** Index of the first step that waits for a person. */
  personAt: z.number().nullable(),
  /** Sum of the steps' own limits. */
  limitMs: z.number(),
  restarts: z.number(),
  /** Each device that will be erased, listed once. */
  erases: list(estimatedDevice),
  /** Indexes of steps that cannot be stopped once started. */
  cannotStop: list(z.number()),
  /** What is refused while it runs, in words. */
  locks: z.string(),
  endState: state,
  /** The stopped reclamation that this cleaning ends as abandoned, with the drives that stay owed; null if there is none. */
  abandons: record({ number: z.string(), kind: z.string(), debtDrives: z.number() }).nullable(),
  debtDrives: z.number(),
});
export type CleaningEstimate = z.infer<typeof cleaningEstimate>;
