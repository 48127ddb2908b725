// The evidence of a gate as sentences. What this version does not know is only in the raw evidence, which is always shown as well.
import { z } from "zod";
import { memoryKinds } from "@/server/domain/hosts/device-memory/device-memory";
import { nameOfPart } from "@/server/domain/hosts/parts/part";

/** The page with more about a sentence. */
export const evidenceSubjects = [
  "steps",
  "inventory",
  "platform",
  "sku",
  "network",
  "health",
  "assurance",
] as const;
export type EvidenceSubject = (typeof evidenceSubjects)[number];

export interface EvidenceSentence {
  readonly words: string;
  readonly subject: EvidenceSubject;
}

const serials = (devices: readonly { readonly serial: string }[]): string =>
  devices.map(({ serial }) => serial).join(", ");

const stepRuns = z.array(z.object({ id: z.string(), attempt: z.number(), status: z.string() }));
const devices = z.array(z.object({ serial: z.string(), verdict: z.string() }));
const content = z.object({ readEpoch: z.number().nullable(), drives: z.array(z.string()) });
const excluded = z.array(z.object({ serial: z.string(), model: z.string(), reason: z.string() }));
const strings = z.array(z.string());
const unresolved = z.array(z.object({ reason: z.string() }));
const answered = z.array(z.object({ serial: z.string(), disposition: z.object({ key: z.string() }) }));
const acknowledgements = z.array(z.object({ interface: z.string(), version: z.number() }));
const procedures = z.array(
  z.object({
    procedure: z.string(),
    version: z.number(),
    recordedBy: z.string(),
    signedBy: z.string().nullable(),
    reused: z.boolean(),
  }),
);
const alerts = z.array(z.object({ id: z.string(), sources: z.array(z.string()), message: z.string() }));
const platformEvidence = z.object({
  readAt: z.string(),
  sku: z.string(),
  same: z.record(z.string(), z.string()),
  absent: z.record(z.string(), z.string()),
  open: z.array(z.object({ name: z.string(), wanted: z.string(), found: z.string() })),
});
const deviceMemory = z.array(
  z.object({
    kind: z.enum(memoryKinds),
    slot: z.string(),
    model: z.string(),
    serial: z.string().exactOptional(),
    verdict: z.string(),
    why: z.string(),
  }),
);
const sku = z.object({ epoch: z.number(), name: z.string(), differences: z.number() });
const tests = z.object({
  epoch: z.number(),
  passed: z.number(),
  failed: z.array(z.string()),
  skipped: z.array(z.string()),
});

/** The sentences for one member of the evidence; none if this version cannot parse it. */
const readers: Readonly<
  Record<string, (value: unknown, stepNames: ReadonlyMap<string, string>) => readonly EvidenceSentence[]>
> = {
  stepRuns: (value, stepNames) =>
    (stepRuns.safeParse(value).data ?? []).map(({ id, attempt, status }) => ({
      words: `Step ${stepNames.get(id) ?? id} ${status === "succeeded" ? "succeeded" : `is ${status}`}${attempt === 0 ? "" : ` in attempt ${attempt}`}.`,
      subject: "steps",
    })),
  devices: (value) => {
    const all = devices.safeParse(value).data ?? [];
    const good = all.filter(({ verdict }) => verdict === "sanitized");
    const rest = all.filter(({ verdict }) => verdict !== "sanitized");
    return [
      ...(good.length === 0
        ? []
        : [
            {
              words: `${good.length} of ${all.length} drives are sanitized: ${serials(good)}.`,
              subject: "steps" as const,
            },
          ]),
      ...rest.map(({ serial, verdict }) => ({
        words: `Drive ${serial} ${verdict === "none" ? "has no result" : `has the verdict ${verdict}`}.`,
        subject: "steps" as const,
      })),
    ];
  },
  content: (value) => {
    const read = content.safeParse(value).data;
    if (read === undefined || read.drives.length === 0) return [];
    const { readEpoch, drives } = read;
    return [
      {
        words: `The content of ${drives.join(", ")} is recorded${readEpoch === null ? ", and was not read again yet" : ` and was found unchanged in boot ${readEpoch}`}.`,
        subject: "steps",
      },
    ];
  },
  excluded: (value) =>
    (excluded.safeParse(value).data ?? []).map(({ serial, model, reason }) => ({
      words: `Drive ${serial} (${model}) is excluded: ${reason}.`,
      subject: "inventory",
    })),
  unresolved: (value) =>
    (unresolved.safeParse(value).data ?? []).map(({ reason }) => ({
      words: `Unresolved storage: ${reason}.`,
      subject: "inventory",
    })),
  answered: (value) =>
    (answered.safeParse(value).data ?? []).map(({ serial, disposition: { key } }) => ({
      words: `Drive ${serial} is covered by disposition ${key}.`,
      subject: "inventory",
    })),
  acknowledgements: (value) => {
    const acks = acknowledgements.safeParse(value).data ?? [];
    return acks.length === 0
      ? []
      : [
          {
            words: `Acknowledged by ${acks.map((ack) => `${ack.interface} (version ${ack.version})`).join(", ")}.`,
            subject: "network",
          },
        ];
  },
  healthSources: (value) => {
    const names = strings.safeParse(value).data ?? [];
    return names.length === 0
      ? []
      : [{ words: `Health is reported by ${names.join(", ")}.`, subject: "health" }];
  },
  procedures: (value) => {
    const all = procedures.safeParse(value).data ?? [];
    if (all.length === 0) return [{ words: "No procedure record was needed.", subject: "assurance" }];
    return all.map(({ procedure, version, recordedBy, signedBy, reused }) => ({
      words: `${procedure}, version ${version}, was recorded by ${recordedBy}${signedBy === null ? "" : ` and decided on by ${signedBy}`}${reused ? ", in an earlier reclamation" : ""}.`,
      subject: "assurance",
    }));
  },
  platform: (value) => {
    const read = platformEvidence.safeParse(value).data;
    if (read === undefined) return [];
    const listed = (items: Readonly<Record<string, string>>): string =>
      Object.entries(items)
        .map(([name, found]) => `${name}: ${found}`)
        .join("; ");
    const { readAt, sku: of, same, absent, open } = read;
    return [
      `The platform was read at ${readAt} and compared with the baseline of SKU ${of}.`,
      ...(Object.keys(same).length === 0 ? [] : [`As wanted: ${listed(same)}.`]),
      ...(Object.keys(absent).length === 0 ? [] : [`Not there: ${listed(absent)}.`]),
      ...open.map(({ name, wanted, found }) => `${name}: wanted ${wanted}, found ${found}.`),
    ].map((words) => ({ words, subject: "platform" }));
  },
  deviceMemory: (value) =>
    (deviceMemory.safeParse(value).data ?? []).map(({ verdict, why, ...device }) => ({
      words: `${nameOfPart(device)} ${memoryWords[verdict] ?? `has the verdict ${verdict}`}: ${why.replace(/\.$/, "")}.`,
      subject: "steps",
    })),
  alerts: (value) =>
    (alerts.safeParse(value).data ?? []).map(({ id, sources, message }) => ({
      words: `Alert ${id} by ${sources.join(", ")}${message === "" ? "" : `: ${message}`}.`,
      subject: "health",
    })),
  disabled: (value) =>
    (strings.safeParse(value).data ?? []).map((step) => ({
      words: `Step ${step} is disabled by an override.`,
      subject: "steps",
    })),
};

/** Sentences for evidence that is recognized by its members together. */
function wholeSentences(evidence: Readonly<Record<string, unknown>>): readonly EvidenceSentence[] {
  const compared = sku.safeParse(evidence).data;
  if (compared !== undefined)
    return [
      {
        words: `The inventory of boot ${compared.epoch} ${compared.differences === 0 ? "matches" : `has ${compared.differences} differences from`} SKU ${compared.name}.`,
        subject: "sku",
      },
    ];
  const run = tests.safeParse(evidence).data;
  if (run === undefined) return [];
  const named = (words: string, names: readonly string[]) =>
    names.length === 0 ? "" : `; ${words}: ${names.join(", ")}`;
  return [
    {
      words: `${run.passed} tests passed in boot ${run.epoch}${named("failed", run.failed)}${named("skipped", run.skipped)}.`,
      subject: "steps",
    },
  ];
}

const namedDrives = z.array(z.object({ serial: z.string() }));

/** Serial numbers of the drives in the evidence, without duplicates. Pure. */
export function evidenceDrives(evidence: unknown): readonly string[] {
  const members = recordOf.safeParse(evidence).data ?? {};
  const lists = ["devices", "excluded", "answered"].flatMap(
    (name) => namedDrives.safeParse(members[name]).data ?? [],
  );
  return [
    ...new Set([
      ...lists.map(({ serial }) => serial),
      ...(content.safeParse(members["content"]).data?.drives ?? []),
    ]),
  ];
}

const memoryWords: Readonly<Record<string, string>> = {
  cleared: "was cleared",
  kept: "kept content",
  unproven: "is not proven to be cleared",
};

const recordOf = z.record(z.string(), z.unknown());

/** In the order of the evidence. `stepNames`: names of step runs, by id. Pure. */
export function evidenceSentences(
  evidence: unknown,
  stepNames: ReadonlyMap<string, string>,
): readonly EvidenceSentence[] {
  const members = recordOf.safeParse(evidence).data;
  if (members === undefined) return [];
  return [
    ...wholeSentences(members),
    ...Object.entries(members).flatMap(([name, value]) => readers[name]?.(value, stepNames) ?? []),
  ];
}
