// What the console reads about cleaning: the catalogue, overrides, runbooks, and what a manual cleaning will take.
import { z } from "zod";
import { manualFault, manualStep } from "@/server/domain/cleaning/plan/manual";
import { policy } from "@/server/domain/cleaning/policy";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import { gateNames } from "@/server/domain/gates/gate-names";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { settingEffect } from "@/server/contract/answers/foresight";
import { filterProblem } from "@/server/contract/answers/hosts";
import { list, record, state } from "@/server/contract/define";

export const catalogueArg = record({
  name: z.string(),
  /** For people, a sentence with its unit. */
  description: z.string(),
  required: z.boolean(),
  /** JSON Schema (2020-12) of its value: what a form is made from. The server checks with the original. */
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
  /** May be stopped while it runs; any other is waited for. */
  abortable: z.boolean(),
  erases: z.boolean(),
  restarts: z.boolean(),
  /** Performed by the controller itself, under any interface: hold, wait and the power actions. */
  reserved: z.boolean(),
  state,
  proves: list(z.enum(gateNames)),
  failureCause: z.enum(failureCauses),
  args: list(catalogueArg),
  /** The hardware manager that offers it, for a step that only the host's agent knows; null for our own. */
  manager: record({ name: z.string(), version: z.string() }).nullable(),
  defaultPriority: z.number(),
  /** In force; 0: never automatically. */
  priority: z.number(),
  source: z.union([z.literal("default"), z.enum(overrideScopes)]),
  /** What is set at each scope that counts for the subject; null: nothing, or the scope is not known here. */
  overrides: z.record(z.enum(overrideScopes), z.number().nullable()).readonly(),
  /** Whether the subject has something for it; null where that is not known. */
  applies: z.boolean().nullable(),
});
export type CatalogueStep = z.infer<typeof catalogueStep>;

/** What a catalogue is of. */
export const catalogueSubject = record({
  kind: z.enum(["site", "sku", "host", "hardwareType"]),
  id: z.string(),
  name: z.string(),
  /** The scopes that count for it; null where none does. */
  site: record({ id: z.string(), name: z.string() }).nullable(),
  sku: record({ id: z.string(), name: z.string() }).nullable(),
  hardwareType: z.string().nullable(),
});
export type CatalogueSubject = z.infer<typeof catalogueSubject>;

export const catalogue = record({
  subject: catalogueSubject,
  steps: list(catalogueStep),
  /** Names of the steps that an automated plan would run now, in order; for a host with a known inventory only those that apply. */
  order: list(z.string()),
  /** Steps of one interface with one priority, in words; none is the rule, because saving refuses them. */
  ties: list(z.string()),
  /** What the newest agent of the host reported of itself; null when none ever did, or the subject is no host. */
  agent: record({
    version: z.string(),
    reportedAt: z.date(),
    managers: list(record({ name: z.string(), version: z.string() })),
    /** Files of steps in its image that it cannot offer, each with the reason; no automated plan is made while there are any. */
    faults: list(z.string()),
  }).nullable(),
  /** For a host: the state that it is in, and its traits. */
  host: record({
    state,
    stateVersion: z.string(),
    traits: list(z.string()),
    automatedClean: z.boolean().nullable(),
  }).nullable(),
});
export type Catalogue = z.infer<typeof catalogue>;

/** What can be chosen on the pages of cleaning. */
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
  /** Traits that some host or runbook has. */
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
  /** Null: the site began with it. */
  createdByName: z.string().nullable(),
  policy,
});
export type SitePolicyView = z.infer<typeof sitePolicyView>;

export const overrideLine = record({
  scope: z.enum(overrideScopes),
  scopeId: z.string(),
  /** Name of the site, SKU or host; null when it is gone. */
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

/** Where a tie would be: the scope itself, or one below it. */
export const overrideTie = record({
  /** Such as "site a", "SKU R750 at site a", "12 hosts of SKU R750 at site a, gpu-a-0417 among them". */
  where: z.string(),
  steps: z.tuple([z.string(), z.string()]).readonly(),
  priority: z.number(),
  message: z.string(),
  /** How many hosts; 0: none yet. */
  hosts: z.number(),
});
export type OverrideTie = z.infer<typeof overrideTie>;

export const overridePreview = record({
  /** The automated order at the scope itself now and afterwards; what applies to each host is left open. */
  before: list(orderLine),
  after: list(orderLine),
  /** Not empty: saving is refused. */
  ties: list(overrideTie),
  /** Hosts whose next plan it may change. Plans that are made keep their own. */
  hosts: z.number(),
  /** Set where the step would not run any more though a gate rests on it. */
  unproven: list(z.enum(gateNames)),
  /** What it would have changed in reclamations of the last 90 days there; null: it is so already. */
  effect: settingEffect.nullable(),
});
export type OverridePreview = z.infer<typeof overridePreview>;

export const runbookLine = record({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** A host must have one of them. */
  traits: list(z.string()),
  steps: list(manualStep),
  erases: z.boolean(),
  version: z.number(),
  updatedAt: z.date(),
  updatedByName: z.string().nullable(),
  /** Hosts that share a trait. */
  hosts: z.number(),
});
export type RunbookLine = z.infer<typeof runbookLine>;

/** Hosts of a filter that can be cleaned manually, and others with why not; the first few of each. */
export const cleaningCandidates = record({
  can: list(record({ hostId: z.string(), name: z.string(), state })),
  cannot: list(record({ hostId: z.string(), name: z.string(), state, reason: z.string() })),
  /** All that the filter finds. */
  total: z.number(),
  problem: filterProblem.nullable(),
});
export type CleaningCandidates = z.infer<typeof cleaningCandidates>;

export const estimatedDevice = record({
  serial: z.string(),
  model: z.string(),
  slot: z.string().nullable(),
  media: z.string(),
  /** Decimal digits. */
  capacityBytes: z.string(),
});
export type EstimatedDevice = z.infer<typeof estimatedDevice>;

export const estimatedStep = record({
  /** Index in the list, from 0. */
  index: z.number(),
  name: z.string(),
  /** Null: a person decides. */
  expectedMs: z.number().nullable(),
  /** From what: erases of drives of the same models, this host's own runs, those of its SKU, the catalogue, or a person who resumes it. */
  basis: z.enum(["model", "host", "sku", "catalogue", "person"]),
  /** How many runs the expectation is the median of; 0 for the catalogue's. */
  runs: z.number(),
  limitMs: z.number(),
  restarts: z.boolean(),
  erases: z.boolean(),
  abortable: z.boolean(),
  where: z.enum(["agent", "controller"]),
  /** The devices that it erases. */
  devices: list(estimatedDevice),
});
export type EstimatedStep = z.infer<typeof estimatedStep>;

export const cleaningEstimate = record({
  /** Everything that is wrong with the list; not empty: it cannot run, and what follows is of the steps without a fault. */
  faults: list(manualFault),
  /** Why the host cannot take it now; null when it can. */
  refusal: z.string().nullable(),
  steps: list(estimatedStep),
  /** Until the first step that waits for a person, or the end. */
  expectedMs: z.number(),
  /** Index of the first step that waits for a person. */
  personAt: z.number().nullable(),
  /** Sum of the steps' own limits. */
  limitMs: z.number(),
  restarts: z.number(),
  /** Each device that will be erased, once. */
  erases: list(estimatedDevice),
  /** Indexes of steps that cannot be stopped once begun. */
  cannotStop: list(z.number()),
  /** What is refused meanwhile, in words. */
  locks: z.string(),
  endState: state,
  /** The stopped reclamation that this ends as abandoned, with what stays owed; null when there is none. */
  abandons: record({ number: z.string(), kind: z.string(), debtDrives: z.number() }).nullable(),
  debtDrives: z.number(),
});
export type CleaningEstimate = z.infer<typeof cleaningEstimate>;
