// The erase of all devices of one step: prepare all, tell the server, then erase and verify up to eight at a time (docs/design/sanitization.md).
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";
import { deviceKey, type StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { eraseDevice } from "@/agent/steps/erase-device";
import { inParallel } from "@/agent/steps/in-parallel";
import { prepareDevice, type Prepared } from "@/agent/steps/prepare-device";
import type { DeviceResult } from "@/agent/steps/results";
import type { StepContext, StepOutcome } from "@/agent/steps/step";
import { erasedAtOnce } from "@/server/domain/cleaning/sanitization/models/erase-estimate";
import { techniqueTable } from "@/server/domain/cleaning/sanitization/techniques";

/** A device that the server expects and this boot does not show. */
function missing(device: StorageDevice): DeviceResult {
  const { serial, model, media, transport, capacityBytes } = device;
  return {
    serial,
    model,
    media,
    transport,
    capacityBytes,
    tries: [],
    tool: { name: "reclaim-agent", version: "1" },
    result: "ERROR",
    message: "expected, but not found by the agent",
    missing: true,
  };
}

const serials = z.array(z.string());

/** A manual cleaning may erase some drives only; the others are left alone. */
export function asked(context: StepContext, all: readonly ErasableDevice[]): readonly ErasableDevice[] {
  const named = serials.safeParse(context.command.args["devices"]);
  return named.success ? all.filter(({ facts }) => named.data.includes(facts.serial)) : all;
}

/** Fails closed: the step is OK only if every expected device, and every device found, has a verified result. */
export async function eraseDevices(
  context: StepContext,
  found: readonly ErasableDevice[],
): Promise<StepOutcome> {
  const { command, reporter } = context;
  const all = asked(context, found);
  const keys = new Set(all.map(({ facts }) => deviceKey(facts)));
  const kept = context.finished.filter((result) => keys.has(deviceKey(result)));
  const keptKeys = new Set(kept.map(deviceKey));
  const devices = all.filter(({ facts }) => !keptKeys.has(deviceKey(facts)));
  const expected = new Map(command.devices.map((device) => [deviceKey(device), device]));
  const gone = command.devices.filter((device) => !keys.has(deviceKey(device))).map(missing);

  // An earlier attempt's erase may be running on any of them; that is unknown until the device's own status is read.
  for (const { facts } of devices) reporter.erases(facts.serial, null);
  const prepared = await inParallel(devices, erasedAtOnce, (device) => prepareDevice(context, device));
  const ready = prepared.filter(
    (entry): entry is Extract<Prepared, { kind: "erase" }> => entry.kind === "erase",
  );
  for (const { device, technique } of ready)
    if (techniqueTable[technique].unstoppable) reporter.erases(device.facts.serial, null);
  reporter.note({
    message: formatCounted(devices.length, "device"),
    journal: ready.map(({ announcement }) => announcement),
    unstoppable: prepared.some(
      (entry) =>
        entry.kind === "join" ||
        entry.kind === "recover" ||
        (entry.kind === "erase" && techniqueTable[entry.technique].unstoppable),
    ),
  });
  const mayErase = ready.length === 0 || (await reporter.acknowledge()).goOn;

  const treated = await inParallel(prepared, erasedAtOnce, (entry) => eraseDevice(context, entry, mayErase));
  const results = treated.map((result) =>
    expected.size > 0 && !expected.has(deviceKey(result))
      ? { ...result, message: `unexpected device. ${result.message}` }
      : result,
  );
  const reported = [...kept, ...results, ...gone];
  const bad = reported.filter(({ result }) => result === "ERROR");
  return {
    result: bad.length === 0 ? "OK" : "ERROR",
    message:
      bad.length === 0
        ? `${formatCounted(reported.length, "device")} erased and verified`
        : bad.map(({ serial, message }) => `${serial}: ${message}`).join("; "),
    devices: reported,
  };
}
