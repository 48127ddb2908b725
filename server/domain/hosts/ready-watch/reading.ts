// What a BMC shows of a host that waits in Ready, so far as a change of it would show that the proof no longer holds (docs/adr/0121-ready-lasts.md).
import { z } from "zod";

/** The parts that are compared, in the order in which they are shown. */
export const watchedParts = ["drives", "reset", "firmware", "intrusion"] as const;
export type WatchedPart = (typeof watchedParts)[number];

export const partText: Readonly<Record<WatchedPart, string>> = {
  drives: "drives",
  reset: "reset time",
  firmware: "firmware",
  intrusion: "chassis intrusion",
};

const watchedDrive = z.object({ serial: z.string(), model: z.string() });

/** A part is null if the BMC does not offer it. */
export const readyReading = z.object({
  power: z.string(),
  drives: z.array(watchedDrive).nullable(),
  /** Entries that may be drives but cannot be named, by their keys. */
  unnamed: z.array(z.string()),
  resetMark: z.string().nullable(),
  /** The BMC's own time in the answer that held the reset mark. */
  bmcTime: z.string().nullable(),
  firmware: z.array(z.object({ component: z.string(), version: z.string() })).nullable(),
  intrusion: z.string().nullable(),
});
export type ReadyReading = Readonly<z.infer<typeof readyReading>>;

/** Of a BMC that offers no part, and of a host without a machine. */
export const nothingToWatch: ReadyReading = {
  power: "unknown",
  drives: null,
  unnamed: [],
  resetMark: null,
  bmcTime: null,
  firmware: null,
  intrusion: null,
};

/** What is known of the host from before the reading. */
export interface ReadyBaseline {
  /** When it became Ready, or began to wait for a repair, by our clock. */
  readonly readySinceMs: number;
  /** Its agent restarts it then, as it does when the host becomes Ready. */
  readonly agentRestarts: boolean;
  /** The reset mark after the last restart that Reclaim ordered; null: none was kept. */
  readonly orderedMark: string | null;
  /** When that mark was read, by our clock. ISO. */
  readonly orderedReadAt: string | null;
  /** The drives of the BMC's inventory that its reclamation compared; null: no inventory. */
  readonly inventory: Pick<ReadyReading, "drives" | "unnamed"> | null;
  /** The last good reading since it became Ready; null: this is the first. */
  readonly last: ReadyReading | null;
}

/** The value of `IntrusionSensor` that says that nothing was opened (Redfish, Chassis.PhysicalSecurity). */
export const intrusionNormal = "Normal";

const offers: Readonly<Record<WatchedPart, (reading: ReadyReading) => boolean>> = {
  drives: ({ drives }) => drives !== null,
  reset: ({ resetMark }) => resetMark !== null,
  firmware: ({ firmware }) => firmware !== null,
  // A sensor that reports an intrusion already can report no other.
  intrusion: ({ intrusion }) => intrusion === intrusionNormal,
};

/** For people: what is watched, and what is not and why. Without a reading, that there is none. */
export function watchText(watch: {
  readonly readAt: unknown;
  readonly watched: readonly WatchedPart[];
  readonly notWatched: ReadonlyArray<{ readonly part: WatchedPart; readonly why: string }>;
}): string {
  if (watch.readAt === null)
    return "nothing yet: the BMC has not been read since the host became Ready; it is compared before any hand-over";
  const parts = watch.watched.map((part) => partText[part]).join(", ");
  const others = watch.notWatched.map(({ part, why }) => `${partText[part]}: ${why}`);
  return [parts === "" ? "nothing" : parts, ...others].join("; ");
}

/** The parts that a later reading is compared in, and why each other one is not. */
export function watchOf(reading: ReadyReading): {
  readonly watched: readonly WatchedPart[];
  readonly notWatched: ReadonlyArray<{ readonly part: WatchedPart; readonly why: string }>;
} {
  const watched = watchedParts.filter((part) => offers[part](reading));
  return {
    watched,
    notWatched: watchedParts
      .filter((part) => !watched.includes(part))
      .map((part) => ({
        part,
        why:
          part === "intrusion" && reading.intrusion !== null
            ? `the sensor already reads ${reading.intrusion}; reset it at the BMC`
            : "not offered by this BMC",
      })),
  };
}
