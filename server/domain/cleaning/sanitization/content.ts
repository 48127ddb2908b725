// A drive's content right after its last erase, as keyed digests, and what a later reading shows about it (docs/adr/0021-content-fingerprints.md).
import { z } from "zod";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import { maxCanaries, probeReading } from "@/server/domain/cleaning/sanitization/probe";
import type { KeptProbe } from "@/server/domain/cleaning/sanitization/probe";

/** Where digests are taken, named by what is stored there; `sampled`: blocks at secret random places. In the order in which differences are reported. */
export const contentPlaces = [
  "bootRecord",
  "partitionTable",
  "superblocks",
  "firstPartition",
  "raidMetadata",
  "end",
  "sampled",
] as const;
export type ContentPlace = (typeof contentPlaces)[number];

const placeLabels = {
  bootRecord: "the boot record",
  partitionTable: "the partition table",
  superblocks: "a filesystem or RAID superblock",
  firstPartition: "the start of the first partition",
  raidMetadata: "RAID metadata near the end",
  end: "the backup partition table or RAID metadata at the end",
  sampled: "a sampled block",
} satisfies Record<ContentPlace, string>;

const digest = z.string().regex(/^[A-Za-z0-9_-]{22}$/, "128 bits, base64url");

/** A range of blocks: a namespace, or a whole disk. Left out: places that do not fit into the range, or that its card reserves for itself. */
export const contentArea = z.strictObject({
  name: z.string().min(1).max(64),
  blocks: z.int().min(0),
  blockBytes: z.int().min(1),
  places: z.partialRecord(z.enum(contentPlaces), digest),
});
export type ContentArea = z.infer<typeof contentArea>;

export const fingerprint = z.array(contentArea).min(1).max(1024);
export type Fingerprint = z.infer<typeof fingerprint>;

/** What an agent needs to take fingerprints. It keeps these in memory only. */
export const fingerprintRequest = z.strictObject({
  /** Key of the digests. The places of the samples are derived from it as well. */
  secret: z.string().min(1).max(128),
  samplesPerDevice: z.int().min(1).max(2000),
  /** How many canaries of the remnant probe to write before an erase and to look for in the final boot. Left out: none, or the agent does not support it. */
  canaries: z.int().min(1).max(maxCanaries).optional(),
});
export type FingerprintRequest = z.infer<typeof fingerprintRequest>;

const identity = { serial: z.string().min(1).max(128), model: z.string().min(1).max(256) };

/** An agent's later reading of a drive: its fingerprint, or why there is none. */
export const contentReading = z.union([
  z.strictObject({ ...identity, fingerprint, probe: probeReading.optional() }),
  z.strictObject({ ...identity, problem: z.string().max(2000) }),
]);
export type ContentReading = z.infer<typeof contentReading>;

export interface DriveContent {
  readonly serial: string;
  readonly model: string;
  readonly fingerprint: Fingerprint;
  /** If its erase was probed. */
  readonly probe?: KeptProbe;
}

/** What a reclamation knows about its drives' content. It never leaves the server. Stored in `reclamation.content`. */
export interface ContentRecord {
  readonly secret: string;
  /** `erase`: each was taken after the drive's last erase was verified. `ready`: they were compared when the host last became Ready. */
  readonly since: "erase" | "ready";
  readonly drives: readonly DriveContent[];
  /** The boot whose agent found all of them unchanged. */
  readonly read: { readonly epoch: number; readonly at: string } | null;
}

/** The record with this drive's latest content; null: it no longer has any. Discards the earlier comparison. Pure. */
export function withContent(
  record: ContentRecord,
  drive: { readonly serial: string; readonly model: string },
  taken: Fingerprint | null,
  probe: KeptProbe | null = null,
): ContentRecord {
  const others = record.drives.filter((known) => deviceKey(known) !== deviceKey(drive));
  return {
    ...record,
    drives:
      taken === null
        ? others
        : [
            ...others,
            {
              serial: drive.serial,
              model: drive.model,
              fingerprint: taken,
              ...(probe === null ? {} : { probe }),
            },
          ],
    read: null,
  };
}

const list = new Intl.ListFormat("en");

function areaDifference(known: ContentArea, found: ContentArea): readonly string[] {
  if (known.blocks !== found.blocks || known.blockBytes !== found.blockBytes)
    return [`the size of ${known.name}`];
  return contentPlaces
    .filter((place) => known.places[place] !== found.places[place])
    .map((place) => (known.name === "drive" ? placeLabels[place] : `${placeLabels[place]} of ${known.name}`));
}

/** What changed on a drive, as text; empty: nothing. Pure. */
function changedPlaces(known: Fingerprint, found: Fingerprint): readonly string[] {
  const names = (print: Fingerprint): string =>
    print
      .map(({ name }) => name)
      .sort()
      .join("\u0000");
  if (names(known) !== names(found)) return ["the set of namespaces"];
  return known.flatMap((area) =>
    found.filter(({ name }) => name === area.name).flatMap((other) => areaDifference(area, other)),
  );
}

const between = {
  erase: "between its erase and the final boot",
  ready: "since the host became Ready",
} as const;

/**
 * Every reason why the drives' content is not known to be unchanged, one sentence each; empty: all are unchanged. A drive that was not or could not be
 * read again is a reason. Drives that are not in `record` are ignored. Pure.
 */
export function contentDifferences(
  record: ContentRecord,
  readings: readonly ContentReading[],
): readonly string[] {
  return record.drives.flatMap((known) => {
    const found = readings.filter((reading) => deviceKey(reading) === deviceKey(known));
    const [reading] = found;
    if (reading === undefined || found.length !== 1)
      return [
        `drive ${known.serial} was ${reading === undefined ? "not read again" : "read twice"} in the final boot`,
      ];
    if ("problem" in reading) return [`drive ${known.serial} could not be read again: ${reading.problem}`];
    const changed = changedPlaces(known.fingerprint, reading.fingerprint);
    return changed.length === 0
      ? []
      : [`${list.format(changed)} of drive ${known.serial} changed ${between[record.since]}`];
  });
}
