// Makes changes of people, sessions and tokens count at once for every request to this process, on any interface; other processes see them within seconds.
import { perProcess } from "@/server/process/process-state";

const changes = perProcess("accessChanges", () => ({ count: 0 }));

/** Cache key for anything about who may do what: after a change, nothing read before it is found. */
export const accessKey = (key: string): string => `${changes().count} ${key}`;

/** Call after the change was committed. */
export function accessChanged(): void {
  changes().count += 1;
}
