// What a BMC can report about a drive that it erased: the request and the end of the job. It reads no block back, and says so.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { nothingReadBack, type DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import type { SentTask } from "@/server/hardware/redfish/steps/tasks";

/** A device result like an agent's, but without samples. Whether that is enough is for the judge to decide (`domain/sanitization/judge.ts`). */
export function erasedByBmc(
  session: StepClient,
  device: StorageDevice,
  technique: Technique,
  sent: SentTask,
  words: string,
  completed: boolean,
): DeviceResult {
  const { serial, model, manufacturer, wwn, firmware, media, transport, slot, capacityBytes } = device;
  const optional = Object.fromEntries(
    Object.entries({ manufacturer, wwn, firmware, slot }).filter(([, value]) => value !== undefined),
  );
  return {
    serial,
    model,
    media,
    transport,
    capacityBytes,
    ...optional,
    tries: [
      {
        technique,
        command: `Redfish task ${sent.task ?? "(none told)"}`,
        startedAt: new Date(sent.sentAt).toISOString(),
        endedAt: session.now(),
        exitCode: completed ? 0 : 1,
        status: words.slice(0, 2_000),
        completed,
      },
    ],
    ...(completed ? { technique } : {}),
    verification: nothingReadBack,
    tool: { name: `redfish ${session.profile.name}`, version: "" },
    result: completed ? "OK" : "ERROR",
    message: completed ? "" : words.slice(0, 2_000),
  };
}
