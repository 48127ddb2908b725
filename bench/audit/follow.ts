// Follows the audit log by its files, as `reclaim audit follow` does, resuming after the last number.
import { setTimeout as sleep } from "node:timers/promises";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { parseEntry } from "@/server/domain/audit-log/entry";
import { decodeBundle, tilePath, tileWidth } from "@/server/domain/audit-log/tiles";
import { localActor } from "@/server/usecases/actor";
import { readLogFile } from "@/server/usecases/audit-log/log-file";
import type { Backend } from "@/server/usecases/backend";

export interface Followed {
  readonly ids: ReadonlySet<string>;
  /** Numbers without an event. */
  readonly gaps: number;
}

const patienceMs = 60_000;

/** Starts at once, with the event of this number. `until` resolves when all of these were seen, or when nothing has come for a minute. */
export function follow(
  backend: Backend,
  from: number,
): { until: (wanted: ReadonlySet<string>) => Promise<Followed> } {
  const ids = new Set<string>();
  let gaps = 0;
  let next = from;
  let wanted: ReadonlySet<string> | null = null;
  const isAllSeen = (): boolean => wanted !== null && [...wanted].every((id) => ids.has(id));
  const read = async (path: string): Promise<Uint8Array | null> => {
    const file = await readLogFile(backend, localActor, path);
    return file.ok ? file.value.bytes : null;
  };
  const look = async (): Promise<void> => {
    const note = await read("checkpoint");
    const size = note === null ? 0 : (parseCheckpoint(Buffer.from(note).toString("utf8"))?.size ?? 0);
    while (next < size) {
      const number = Math.floor(next / tileWidth);
      const width = Math.min(tileWidth, size - number * tileWidth);
      const bytes = await read(tilePath({ kind: "entries", level: 0, number, width }));
      const entries = bytes === null ? [] : (decodeBundle(bytes) ?? []);
      for (let place = next - number * tileWidth; place < width; place += 1) {
        const id = parseEntry(entries[place] ?? Buffer.of())?.id;
        if (id === undefined || ids.has(id)) gaps += 1;
        else ids.add(id);
      }
      next = number * tileWidth + width;
    }
  };
  const running = (async () => {
    for (let since = performance.now(); !isAllSeen() && performance.now() - since < patienceMs;) {
      const before = next;
      await look();
      if (next > before) since = performance.now();
      await sleep(250);
    }
  })();
  return {
    until: async (those) => {
      wanted = those;
      await running;
      return { ids, gaps };
    },
  };
}
