// A change of people, sessions or tokens counts at once for every request to this process, whichever surface takes it; to others within seconds.
import { perProcess } from "@/server/process/process-state";

const changes = () => perProcess("accessChanges", () => ({ count: 0 }));

/** Of what is kept for a while about who may what: nothing that was read before a change is found under it. */
export const accessKey = (key: string): string => `${changes().count} ${key}`;

/** After a change was committed. */
export function accessChanged(): void {
  changes().count += 1;
}
