// Why the hosts of an enrolment stopped: hundreds of BMCs with the same mistake share one reason.
import { failurePattern } from "@/server/domain/hosts/failure-pattern";
import type { StagedLine } from "@/server/usecases/hosts/enrolment/enrolment-lines";

/** The lines themselves show the rest. */
const shown = 5;

export interface Alike {
  readonly first: StagedLine;
  readonly hosts: number;
}

/** Most hosts first, then by line. Pure. */
export function alikeStops(lines: readonly StagedLine[]): readonly Alike[] {
  const groups = new Map<string, Alike>();
  for (const line of lines) {
    if (line.stage !== "stopped") continue;
    const { name, identity, lastError, state } = line;
    const own = [name, identity.serial, identity.systemUuid].filter((part) => part !== null);
    const key = `${state ?? ""} ${failurePattern(lastError ?? "", own)}`;
    const known = groups.get(key);
    groups.set(key, { first: known?.first ?? line, hosts: (known?.hosts ?? 0) + 1 });
  }
  return [...groups.values()]
    .sort((a, b) => b.hosts - a.hosts || a.first.line - b.first.line)
    .slice(0, shown);
}
