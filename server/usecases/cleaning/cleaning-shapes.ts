// What the console reads about cleaning: the catalogue, overrides, runbooks, and what a manual cleaning will take.
import type { z } from "zod";
import type { ManualFault, ManualStep } from "@/server/domain/cleaning/manual";
import type { Policy } from "@/server/domain/cleaning/policy";
import type { OverrideScope } from "@/server/domain/cleaning/priorities";
import type { StepInterface } from "@/server/domain/cleaning/steps/step";
import type { GateName } from "@/server/domain/gates/gate-names";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

export interface CatalogueArg {
  readonly name: string;
  /** For people, a sentence with its unit. */
  readonly description: string;
  readonly required: boolean;
  /** JSON Schema (2020-12) of its value: what a form is made from. The server checks with the original. */
  readonly schema: z.core.JSONSchema.BaseSchema;
}

export interface CatalogueStep {
  /** `interface.step` */
  readonly name: string;
  readonly interface: StepInterface;
  readonly step: string;
  readonly summary: string;
  readonly where: "agent" | "controller";
  /** May be stopped while it runs; any other is waited for. */
  readonly abortable: boolean;
  readonly erases: boolean;
  readonly restarts: boolean;
  /** Performed by the controller itself, under any interface: hold, wait and the power actions. */
  readonly reserved: boolean;
  readonly state: State;
  readonly proves: readonly GateName[];
  readonly failureCause: FailureCause;
  readonly args: readonly CatalogueArg[];
  /** The hardware manager that offers it, for a step that only the host's agent knows; null for our own. */
  readonly manager: { readonly name: string; readonly version: string } | null;
  readonly defaultPriority: number;
  /** In force; 0: never automatically. */
  readonly priority: number;
  readonly source: "default" | OverrideScope;
  /** What is set at each scope that counts for the subject; null: nothing, or the scope is not known here. */
  readonly overrides: Readonly<Record<OverrideScope, number | null>>;
  /** Whether the subject has something for it; null where that is not known. */
  readonly applies: boolean | null;
}

/** What a catalogue is of. */
export interface CatalogueSubject {
  readonly kind: "site" | "sku" | "host" | "hardwareType";
  readonly id: string;
  readonly name: string;
  /** The scopes that count for it; null where none does. */
  readonly site: { readonly id: string; readonly name: string } | null;
  readonly sku: { readonly id: string; readonly name: string } | null;
  readonly hardwareType: string | null;
}

export interface Catalogue {
  readonly subject: CatalogueSubject;
  readonly steps: readonly CatalogueStep[];
  /** Names of the steps that an automated plan would run now, in order; for a host with a known inventory only those that apply. */
  readonly order: readonly string[];
  /** Steps of one interface with one priority, in words; none is the rule, because saving refuses them. */
  readonly ties: readonly string[];
  /** What the newest agent of the host reported of itself; null when none ever did, or the subject is no host. */
  readonly agent: { readonly version: string; readonly reportedAt: Date; readonly managers: readonly { readonly name: string; readonly version: string }[] } | null;
  /** For a host: the state that it is in, and its traits. */
  readonly host: { readonly state: State; readonly stateVersion: string; readonly traits: readonly string[]; readonly automatedClean: boolean | null } | null;
}

/** What can be chosen on the pages of cleaning. */
export interface CleaningScopes {
  readonly sites: readonly { readonly id: string; readonly name: string; readonly hosts: number; readonly automatedClean: boolean; readonly policyVersion: number }[];
  readonly skus: readonly { readonly id: string; readonly name: string; readonly hosts: number }[];
  readonly hardwareTypes: readonly { readonly name: string; readonly hosts: number }[];
  /** Traits that some host or runbook has. */
  readonly traits: readonly string[];
  readonly mayOverride: boolean;
  readonly mayWriteRunbooks: boolean;
  readonly mayClean: boolean;
}

export interface SitePolicyView {
  readonly siteId: string;
  readonly site: string;
  readonly version: number;
  readonly createdAt: Date;
  /** Null: the site began with it. */
  readonly createdByName: string | null;
  readonly policy: Policy;
}

export interface OverrideLine {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  /** Name of the site, SKU or host; null when it is gone. */
  readonly scopeName: string | null;
  readonly interface: string;
  readonly step: string;
  readonly priority: number;
  /** Null for a step that only agents offer. */
  readonly defaultPriority: number | null;
  readonly changedAt: Date;
  readonly changedByName: string | null;
}

export interface OrderLine {
  readonly name: string;
  readonly priority: number;
  readonly source: "default" | OverrideScope;
}

/** Where a tie would be: the scope itself, or one below it. */
export interface OverrideTie {
  /** Such as "site a", "SKU R750 at site a", "12 hosts of SKU R750 at site a, gpu-a-0417 among them". */
  readonly where: string;
  readonly steps: readonly [string, string];
  readonly priority: number;
  readonly message: string;
  /** How many hosts; 0: none yet. */
  readonly hosts: number;
}

export interface OverridePreview {
  /** The automated order at the scope itself now and afterwards; what applies to each host is left open. */
  readonly before: readonly OrderLine[];
  readonly after: readonly OrderLine[];
  /** Not empty: saving is refused. */
  readonly ties: readonly OverrideTie[];
  /** Hosts whose next plan it may change. Plans that are made keep their own. */
  readonly hosts: number;
  /** Set where the step would not run any more though a gate rests on it. */
  readonly unproven: readonly GateName[];
}

export interface RunbookLine {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** A host must have one of them. */
  readonly traits: readonly string[];
  readonly steps: readonly ManualStep[];
  readonly erases: boolean;
  readonly version: number;
  readonly updatedAt: Date;
  readonly updatedByName: string | null;
  /** Hosts that share a trait. */
  readonly hosts: number;
}

export interface EstimatedDevice {
  readonly serial: string;
  readonly model: string;
  readonly slot: string | null;
  readonly media: string;
  /** Decimal digits. */
  readonly capacityBytes: string;
}

export interface EstimatedStep {
  /** Index in the list, from 0. */
  readonly index: number;
  readonly name: string;
  /** Null: a person decides. */
  readonly expectedMs: number | null;
  /** From what: this host's own runs, those of its SKU, the catalogue, or a person who resumes it. */
  readonly basis: "host" | "sku" | "catalogue" | "person";
  /** How many runs the expectation is the median of; 0 for the catalogue's. */
  readonly runs: number;
  readonly limitMs: number;
  readonly restarts: boolean;
  readonly erases: boolean;
  readonly abortable: boolean;
  readonly where: "agent" | "controller";
  /** The devices that it erases. */
  readonly devices: readonly EstimatedDevice[];
}

export interface CleaningEstimate {
  /** Everything that is wrong with the list; not empty: it cannot run, and what follows is of the steps without a fault. */
  readonly faults: readonly ManualFault[];
  /** Why the host cannot take it now; null when it can. */
  readonly refusal: string | null;
  readonly steps: readonly EstimatedStep[];
  /** Until the first step that waits for a person, or the end. */
  readonly expectedMs: number;
  /** Index of the first step that waits for a person. */
  readonly personAt: number | null;
  /** Sum of the steps' own limits. */
  readonly limitMs: number;
  readonly restarts: number;
  /** Each device that will be erased, once. */
  readonly erases: readonly EstimatedDevice[];
  /** Indexes of steps that cannot be stopped once begun. */
  readonly cannotStop: readonly number[];
  /** What is refused meanwhile, in words. */
  readonly locks: string;
  readonly endState: State;
  /** The stopped reclamation that this ends as abandoned, with what stays owed; null when there is none. */
  readonly abandons: { readonly number: string; readonly kind: string; readonly debtDrives: number } | null;
  readonly debtDrives: number;
}
