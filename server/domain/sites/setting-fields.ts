// The settings of a site that have a form field, in the order of the pages, and where each other setting is changed (docs/adr/0048-site-document.md).
// The document's schema decides what a field accepts; this file has only labels and places.
import { z } from "zod";
import { siteDocument } from "@/server/domain/sites/document";
import { attestation, requirements, twoPeople } from "@/server/domain/sites/gate-fields";

/** A field, identified by its path in the document, with dots. */
export interface SettingField {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
}

export interface SettingSection {
  readonly title: string;
  readonly summary: string;
  readonly fields: readonly SettingField[];
}

const limits: SettingSection = {
  title: "Time limits",
  summary: "how long a state or step may take before the host counts as failed",
  fields: [
    { path: "policy.times.stateMs", label: "State", hint: "Applies to states without a limit of their own." },
    {
      path: "policy.times.reclamationMs",
      label: "Reclamation",
      hint: "As a whole, besides the expected erase time.",
    },
    { path: "policy.times.verifyingMs", label: "Verifying" },
    { path: "policy.times.validationMs", label: "Validation" },
    {
      path: "policy.times.eraseStepMs",
      label: "Erase step without progress",
      hint: "The maximum. Capacity and technique of a drive may give a lower limit.",
    },
    { path: "policy.times.otherStepMs", label: "Other steps" },
    {
      path: "policy.times.instanceEndTimeoutMs",
      label: "Network detach after a release",
      hint: "A host whose network is not detached by then is quarantined.",
    },
    {
      path: "policy.times.holdMs",
      label: "Hold",
      hint: "How long a hold lasts that was given no time of its own.",
    },
  ],
};

const agents: SettingSection = {
  title: "Agents and boots",
  summary: "when an agent counts as silent, and how often a host is restarted",
  fields: [
    { path: "policy.times.heartbeatMs", label: "Heartbeat", hint: "How often agents report." },
    {
      path: "policy.times.agentSilenceMs",
      label: "Agent timeout",
      hint: "An attempt ends when its agent is silent for this long. A running erase goes on.",
    },
    {
      path: "policy.times.agentFreshMs",
      label: "Agent counts as present",
      hint: "An agent that was seen within this time needs no new boot.",
    },
    { path: "policy.times.bootWindowMs", label: "Boot window" },
    {
      path: "policy.times.failureRetryMs",
      label: "Registration timeout",
      hint: "A host whose agent has not registered by then is restarted.",
    },
    { path: "policy.times.maxBoots", label: "Boots per reclamation" },
    { path: "policy.attempts.agent", label: "Attempts of a step by the agent" },
    { path: "policy.attempts.controller", label: "Attempts of a step by the controller" },
  ],
};

const retries: SettingSection = {
  title: "BMC and network controller",
  summary: "how a device that does not answer is retried",
  fields: [
    { path: "policy.times.bmcRetryMs", label: "BMC retry interval" },
    { path: "policy.times.bmcTries", label: "BMC attempts", hint: "After the last one the host fails." },
    {
      path: "policy.times.bmcSettleMs",
      label: "Delay after a BMC restart",
      hint: "Before a BMC whose job failed is used again.",
    },
    { path: "policy.times.jobPollMs", label: "BMC job poll interval" },
    { path: "policy.times.networkRetryMs", label: "Network controller retry interval" },
  ],
};

/** The sections of the *Policy* page that are a form. */
export const policySections: readonly SettingSection[] = [
  requirements,
  attestation,
  twoPeople,
  {
    title: "Cleaning",
    summary: "what runs besides the erase",
    fields: [
      {
        path: "policy.validationTests",
        label: "Validation tests",
        hint: "One per line, for every host; a SKU may require more. A host without any skips Validation.",
      },
      {
        path: "policy.requiredSteps",
        label: "Required site steps",
        hint: "One interface.step per line, from the site's agent image. A plan without one of them is not made.",
      },
      {
        path: "policy.reflashFirmware",
        label: "Write firmware again",
        hint: "In each plan, whatever its version says, for components whose file a firmware rollout named. Adds some minutes and a restart to each return.",
      },
    ],
  },
  {
    title: "Repair",
    summary: "what follows when a tenant reports a health issue with its release",
    fields: [
      {
        path: "policy.autoRepair",
        label: "Ask for the repair at once",
        hint: "The host gets a repair request with the report. Off: an operator asks for it.",
      },
    ],
  },
  {
    title: "Age of a proof",
    summary: "for how long a proof counts while its host waits in Ready",
    fields: [
      {
        path: "policy.proofMaxAgeDays",
        label: "Days in Ready",
        hint: "Then the host is checked again: it restarts, and nothing is erased unless something changed. From nine tenths of this age on, a tenth of the allocatable hosts of a SKU at once. 0: without limit.",
      },
    ],
  },
  {
    title: "Proof of an erase",
    summary: "what is read back, and which media are left out; techniques are on the page Erase policy",
    fields: [
      { path: "policy.sanitization.erase.samplesPerDevice", label: "Samples per drive" },
      { path: "policy.sanitization.erase.markersPerDevice", label: "Markers per drive" },
      {
        path: "policy.sanitization.erase.noProgressTimeoutMs",
        label: "Drive without progress",
        hint: "After this time the drive counts as hung.",
      },
      {
        path: "policy.sanitization.canariesPerDevice",
        label: "Canaries per drive",
        hint: "Blocks that the agent writes over the whole drive before its erase, and that the final boot looks for. 0: no remnant probe; 256 take about 10 s on a hard disk.",
      },
      {
        path: "policy.sanitization.requireProbe",
        label: "Require the remnant probe",
        hint: "A drive that takes no canary, of which none can be read again, or that its BMC erases, and an agent that knows no probe, then stop the host.",
      },
      {
        path: "policy.sanitization.excludedMedia",
        label: "Removable media that need no erase",
        hint: "One rule per line: model = reason. Model * is any. Only removable and USB media can be left out.",
      },
    ],
  },
  {
    title: "Brake",
    summary: "stops admission when too many hosts fail",
    fields: [
      { path: "policy.brake.percent", label: "Failed hosts, in percent" },
      { path: "policy.brake.hosts", label: "Failed hosts, at least" },
      { path: "policy.brake.windowMs", label: "Within" },
    ],
  },
  limits,
  agents,
  retries,
];

/** The section of the *Site* page that maps directly to the document. The network controller has secrets, and its own fields. */
export const networkSections: readonly SettingSection[] = [
  {
    title: "Provisioning networks",
    summary: "from where hosts may boot and agents may register",
    fields: [
      {
        path: "policy.provisioningNetworks",
        label: "Networks",
        hint: "One per line, such as 10.1.0.0/16. The word loopback is this machine.",
      },
    ],
  },
];

/** Where a setting without a field in those sections is changed. */
export const settingPlaces: Readonly<Record<string, string>> = {
  format: "the document's own version",
  revision: "tells states of a site apart; forms send it",
  site: "given when the site is created; names it",
  location: "page Site, location",
  "networkController.url": "page Site, network controller",
  "networkController.token": "page Site, network controller",
  "networkController.acknowledgementToken": "page Site, network controller",
  bmcCredentials: "page Site, BMC credentials",
  bmcTrust: "page Site, certificate authorities",
  authorities: "page Site, certificate authorities",
  "policy.procedures": "page Procedures, and `reclaim procedures`",
  "policy.automatedClean": "page Clean steps, by an act of its own",
  "policy.admission": "page Policy and page Queue, by an act of its own",
  "policy.sanitization.standard": "page Erase policy, by an act of its own",
  "policy.sanitization.minimum": "page Erase policy, by an act of its own",
  "policy.sanitization.erase.techniques": "page Erase policy, by an act of its own",
  "policy.sanitization.erase.fallback": "page Erase policy, by an act of its own",
  priorities: "page Clean steps, by an act of its own",
  agentImage: "page Agent images: rolled out by acts of its own",
  skus: "pages of SKUs, by acts of their own",
  "tenants.org": "page Tenants",
  "tenants.name": "page Tenants",
  "tenants.networkAllocation": "page Tenants",
  "tenants.targetedInstanceCreation": "page Tenants",
  "tenants.instanceQuota": "page Tenants",
};

export const settingFields: readonly SettingField[] = [...policySections, ...networkSections].flatMap(
  ({ fields }) => fields,
);

const labels: ReadonlyMap<string, string> = new Map(
  [...policySections, ...networkSections].flatMap(({ title, fields }) =>
    fields.map(({ path, label }): [string, string] => [path, `${title}: ${label.toLowerCase()}`]),
  ),
);

/** Parts of the document whose members people name themselves, or that have no fields in those sections. */
const partLabels: Readonly<Record<string, string>> = {
  networkController: "Network controller",
  bmcCredentials: "BMC credentials",
  priorities: "Priority of",
  agentImage: "Agent image",
  skus: "SKU",
  tenants: "Tenant",
  sites: "New site",
  hosts: "Host",
};

/** The label of a setting: that of its form field or its part, or else its path. Pure. */
export function formatSetting(path: readonly string[]): string {
  const [part = "", ...members] = path;
  const words = partLabels[part];
  return labels.get(path.join(".")) ?? (words === undefined ? path.join(".") : [words, ...members].join(" "));
}

const memberSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

export type SettingKind =
  | {
      readonly kind: "number" | "duration";
      readonly whole: boolean;
      readonly least: number;
      /** The minimum is exclusive. */
      readonly above: boolean;
      readonly most: number;
    }
  | { readonly kind: "lines" }
  /** Rules about media: `model = reason`, one per line. */
  | { readonly kind: "mediaRules" }
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly string[] };

const documentSchema = z.toJSONSchema(siteDocument, { io: "input", unrepresentable: "any" });

/** The kind of a setting with a field, from the document's schema. Throws for a path that does not exist, or a kind that no field can edit. */
export function settingKind(path: string): SettingKind {
  let at: unknown = documentSchema;
  for (const name of path.split(".")) at = memberSchema.parse(at).properties?.[name];
  const { type, enum: options, items, minimum, exclusiveMinimum, maximum } = memberSchema.parse(at);
  if (options !== undefined) return { kind: "choice", options };
  if (type === "array")
    return { kind: memberSchema.safeParse(items).data?.type === "object" ? "mediaRules" : "lines" };
  if (type === "boolean") return { kind: "switch" };
  if (type === "integer" || type === "number")
    return {
      kind: path.endsWith("Ms") ? "duration" : "number",
      whole: type === "integer",
      least: exclusiveMinimum ?? minimum ?? 0,
      above: exclusiveMinimum !== undefined,
      most: maximum ?? Number.MAX_SAFE_INTEGER,
    };
  throw new Error(`no field edits ${path}`);
}
