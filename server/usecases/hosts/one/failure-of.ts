// What a failed host stopped for, or what keeps failing on one that still retries: what to check next, the machines' answers, and which other hosts have it.
import type { Database } from "@/server/db/prisma";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { causeLabel, causeText, checkNext, rawAnswers } from "@/server/domain/cleaning/failures/text";
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { isBmcFailure, isFailed } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { isObject } from "@/server/domain/json";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";
import { readAlike, readFailureCauses } from "@/server/usecases/cleaning/failures/alike";
import type { Alike } from "@/server/usecases/cleaning/failures/alike";
import { readAgentTrouble } from "@/server/usecases/hosts/one/read-agent-trouble";

export interface FailingHost {
  readonly id: string;
  readonly name: string;
  readonly model: string | null;
  readonly bmcAddress: string | null;
  readonly macs: readonly string[];
}

/** Trouble that the controller is still retrying, if there is a last error. Pure. */
function troubleOf(run: { readonly context: unknown; readonly lastError: string | null }): Causes | null {
  return run.lastError !== null && isObject(run.context) ? readCauses(run.context["trouble"]) : null;
}

export interface FailureRecord {
  readonly state: StoredState;
  readonly causes: Causes;
  readonly alike: Alike | null;
}

interface FailingRun {
  readonly stateVersion: bigint;
  readonly stateSince: Date;
  readonly context: unknown;
  readonly lastError: string | null;
}

/** Open reclamation, if there is one. */
type Open = { readonly id: string } | null;

/** Null if nothing is wrong, or if only text describes it. */
export async function readFailure(
  database: Database,
  host: FailingHost,
  run: FailingRun,
  { state, open }: { readonly state: StoredState; readonly open: Open },
): Promise<FailureRecord | null> {
  const failed = isFailed(state);
  const causes = failed
    ? await readFailureCauses(database, { hostId: host.id, version: run.stateVersion })
    : (troubleOf(run) ?? (open === null ? null : await readAgentTrouble(database, open.id)));
  if (causes === null) return null;
  return { state, causes, alike: failed ? await readAlike(database, host, causes) : null };
}

/** Whether what the BMC reports is current: the host neither stopped because of its BMC nor is retrying it. Pure. */
export const bmcAnswers = ({
  state,
  failure,
}: {
  readonly state: StoredState;
  readonly failure: FailureRecord | null;
}): boolean => !isBmcFailure(state) && failure?.causes[0].device?.kind !== "bmc";

/** Adds what the check needs and decisions do not know: names, and until when an erase may still be running. */
const withHost = (cause: Cause, { bmcAddress, macs }: FailingHost, eraseUntilMs: number | null): Cause => ({
  ...cause,
  facts: {
    ...cause.facts,
    ...(eraseUntilMs === null ? {} : { eraseUntil: momentText(eraseUntilMs) }),
    ...(bmcAddress === null ? {} : { address: bmcAddress }),
    ...(macs.length === 0 ? {} : { macs: macs.join(", ") }),
  },
});

const drivesOf = (causes: Causes): readonly string[] => [
  ...new Set(
    causes.flatMap(({ device }) =>
      device?.kind === "drive" && device.serial !== undefined ? [device.serial] : [],
    ),
  ),
];

/** Pure. */
export function failureOf(
  record: FailureRecord | null,
  host: FailingHost,
  eraseUntilMs: number | null,
): HostDetail["failure"] {
  if (record === null) return null;
  const { state, causes, alike } = record;
  const [first, ...others] = causes;
  // A text does not say what to check; the state's own line does.
  if (first.key === "other") return null;
  return {
    label: causeLabel(first),
    says: causeText(causes).split("\n"),
    drives: drivesOf(causes),
    checkNext: checkNext([withHost(first, host, eraseUntilMs), ...others], state),
    answers: [...rawAnswers(causes)],
    alike,
  };
}
