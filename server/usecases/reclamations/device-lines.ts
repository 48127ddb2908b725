// The devices of one step run: what the agent reported, how it was judged, and the progress of each while the step runs.
import { z } from "zod";
import { progressBody, resultBody } from "@/server/domain/agents/protocol";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import type { DeviceLine, DeviceTryLine } from "@/server/contract/reclamations/reclamation";
import { tryLines, formatVerification } from "@/server/usecases/reclamations/device-tries";

export interface AttemptRecord {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly report: unknown;
  readonly progress: unknown;
}

export interface VerdictRecord {
  readonly serial: string;
  readonly model: string;
  readonly attempt: number;
  readonly level: string;
  readonly verdict: string;
  readonly reason: string;
}

/** The devices in the stored progress, which also has the step's own percent and message. */
const devicesProgress = z.object({ devices: progressBody.shape.devices });

interface StepDevices {
  readonly running: boolean;
  readonly expected: readonly StorageDevice[];
  /** In order of attempt. */
  readonly attempts: readonly AttemptRecord[];
  /** In order of creation. */
  readonly verdicts: readonly VerdictRecord[];
}

interface Reported {
  readonly attempt: number;
  readonly device: DeviceResult;
}

type Identity = Pick<StorageDevice, "serial" | "model" | "media"> & {
  readonly slot?: string | undefined;
  readonly firmware?: string | undefined;
};

const endOf = (tried: DeviceTryLine | undefined): Date | null =>
  tried === undefined ? null : new Date(tried.startedAt.getTime() + tried.tookMs);

function line(
  identity: Identity,
  reports: readonly Reported[],
  verdict: VerdictRecord | undefined,
  progress: { percent: number; status: string } | undefined,
  { running, attempts }: StepDevices,
): DeviceLine {
  const tries = reports.flatMap(({ attempt: number, device }) => tryLines(number, device));
  const latest = reports.at(-1)?.device;
  const attempt = attempts.at(-1);
  const about = {
    slot: identity.slot ?? latest?.slot ?? null,
    serial: identity.serial,
    model: identity.model,
    firmware: latest?.firmware ?? identity.firmware ?? null,
    media: identity.media,
    tries,
    passedOver: latest?.passedOver ?? [],
    startedAt: tries[0]?.startedAt ?? attempt?.startedAt ?? null,
  };
  // A verdict of an earlier attempt does not count while a new one is running.
  if (running && (verdict === undefined || verdict.attempt !== attempt?.attempt)) {
    return {
      ...about,
      tone: "working",
      result: progress?.status ?? "in progress",
      percent: progress?.percent ?? null,
      technique: null,
      level: null,
      verification: progress?.status ?? "",
      endedAt: null,
    };
  }
  const endedAt = endOf(tries.at(-1)) ?? attempt?.endedAt ?? null;
  if (verdict === undefined)
    return {
      ...about,
      tone: "failed",
      result: "no result; the device was expected",
      percent: null,
      technique: null,
      level: null,
      verification: "",
      endedAt,
    };
  const good = verdict.verdict === "sanitized";
  return {
    ...about,
    tone: good ? "good" : "failed",
    result: good ? (latest?.technique ?? verdict.reason) : verdict.reason,
    percent: null,
    technique: latest?.technique ?? null,
    level: verdict.level,
    verification: formatVerification(latest?.verification, latest?.probe),
    endedAt,
  };
}

/** One line per device, expected ones first. A report that this version cannot read shows no tries, and no verdict is derived from it. */
export function deviceLines(step: StepDevices): readonly DeviceLine[] {
  const reported: Reported[] = step.attempts.flatMap(({ attempt, report }) => {
    const parsed = resultBody.safeParse(report);
    return parsed.success ? parsed.data.devices.map((device) => ({ attempt, device })) : [];
  });
  const progress = devicesProgress.safeParse(step.attempts.at(-1)?.progress);
  const now = new Map(
    (progress.success ? progress.data.devices : []).map((device) => [device.serial, device]),
  );
  const identities = new Map<string, Identity>(step.expected.map((device) => [deviceKey(device), device]));
  for (const { device } of reported)
    if (!identities.has(deviceKey(device))) identities.set(deviceKey(device), device);
  return [...identities].map(([key, identity]) =>
    line(
      identity,
      reported.filter(({ device }) => deviceKey(device) === key),
      step.verdicts.findLast((verdict) => deviceKey(verdict) === key),
      now.get(identity.serial),
      step,
    ),
  );
}
