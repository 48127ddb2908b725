// Which storage devices a host is known to have; the list is frozen at Init (design: sanitization.md, Known devices).
import { deviceKey } from "@/server/domain/inventory/inventory";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { AnsweredDevice } from "@/server/domain/sanitization/dispositions";

export interface KnownDevice extends StorageDevice {
  /** Who knew of it. `agent` alone means that nobody expected it. */
  readonly sources: readonly ("bmc" | "agent" | "debt")[];
  /** Only the BMC reaches it: a step of the controller must erase it. Lists of earlier versions have none. */
  readonly outOfBand?: true;
}

export interface DeviceList {
  readonly expected: readonly KnownDevice[];
  /** Removable and BMC-virtual media, left out with the reason. */
  readonly excluded: readonly { readonly serial: string; readonly model: string; readonly reason: string }[];
  /** Known to the BMC or owed by a debt, and not seen by the agent that should see it. */
  readonly missing: readonly { readonly serial: string; readonly model: string; readonly knownBy: string }[];
  /** Was missing, and a person stated what became of it (dispositions.ts). Lists of earlier versions have none. */
  readonly answered?: readonly AnsweredDevice[];
}

function exclusion(device: StorageDevice): string | null {
  if (device.transport === "virtual") return "virtual medium of the BMC";
  if (device.removable) return "removable medium";
  return null;
}

/**
 * The union of what the BMC and the agent of this boot report, and the drives of standing debts.
 * A device that the agent does not see is `missing`; it stays expected. The one exception: a drive that the BMC itself lists
 * behind a controller which hides it from the host (`outOfBand`, by serial) is nobody's to miss but the BMC's. It is expected
 * like any other, and marked, so that the agent is not asked for it; only a step of the controller can prove it. One that the
 * agent does see is the agent's. What only a debt names is missing, wherever it was. Pure.
 */
export function freezeDevices(bmc: readonly StorageDevice[], agent: readonly StorageDevice[], debtSerials: readonly string[], outOfBand: readonly string[]): DeviceList {
  const expected = new Map<string, KnownDevice>();
  const excluded: { serial: string; model: string; reason: string }[] = [];
  const seen = new Set(agent.map(deviceKey));
  for (const device of agent) {
    const reason = exclusion(device);
    if (reason === null) expected.set(deviceKey(device), { ...device, sources: ["agent"] });
    else excluded.push({ serial: device.serial, model: device.model, reason });
  }
  const missing: { serial: string; model: string; knownBy: string }[] = [];
  for (const device of bmc) {
    const reason = exclusion(device);
    if (reason !== null) {
      if (!seen.has(deviceKey(device))) excluded.push({ serial: device.serial, model: device.model, reason });
      continue;
    }
    const known = expected.get(deviceKey(device));
    const hidden = known === undefined && outOfBand.includes(device.serial);
    expected.set(deviceKey(device), known === undefined ? { ...device, sources: ["bmc"], ...(hidden ? { outOfBand: true } : {}) } : { ...device, ...known, sources: ["bmc", "agent"] });
    if (known === undefined && !hidden) missing.push({ serial: device.serial, model: device.model, knownBy: "BMC" });
  }
  const serials = new Set([...expected.values()].map((d) => d.serial));
  for (const serial of debtSerials) {
    if (!serials.has(serial)) missing.push({ serial, model: "", knownBy: "sanitization debt" });
  }
  return { expected: [...expected.values()], excluded, missing };
}

/** Serial-and-model sets that differ, in words; null when they are equal. Pure. */
export function deviceSetDifference(treated: readonly { serial: string; model: string }[], found: readonly { serial: string; model: string }[]): string | null {
  const treatedKeys = new Set(treated.map(deviceKey));
  const foundKeys = new Set(found.map(deviceKey));
  const gone = treated.filter((d) => !foundKeys.has(deviceKey(d))).map((d) => d.serial);
  const fresh = found.filter((d) => !treatedKeys.has(deviceKey(d))).map((d) => d.serial);
  if (gone.length === 0 && fresh.length === 0) return null;
  return [gone.length > 0 ? `treated and no longer found: ${gone.join(", ")}` : "", fresh.length > 0 ? `found and never treated: ${fresh.join(", ")}` : ""].filter((part) => part !== "").join("; ");
}
