// What nvidia-smi prints: its queries as CSV, and the state of NVLinks as text.
import { text } from "@/agent/tools/machine/program/answers";
import type { DriverGpu } from "@/agent/tools/tools";

/** Fields that every driver since 450 knows. With one that it does not know, nvidia-smi answers none. */
export const gpuFields = [
  "pci.bus_id",
  "name",
  "serial",
  "uuid",
  "vbios_version",
  "memory.total",
  "pstate",
  "pcie.link.width.current",
  "pcie.link.width.max",
  "pcie.link.gen.current",
  "pcie.link.gen.max",
  "ecc.errors.corrected.volatile.total",
  "ecc.errors.uncorrected.volatile.total",
] as const;

export const remapFields = [
  "gpu_bus_id",
  "remapped_rows.correctable",
  "remapped_rows.uncorrectable",
  "remapped_rows.pending",
  "remapped_rows.failure",
] as const;

/** A GPU with the id by which `nvlink --status` names it. */
export type SmiGpu = DriverGpu & { readonly uuid: string };

const maxGpus = 64;
const busId = /^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]$/;

/** `00000000:17:00.0` as the kernel writes it: `0000:17:00.0`. Null if it is no address. */
function addressOf(printed: string | undefined): string | null {
  if (printed === undefined || !busId.test(printed)) return null;
  const [domain = "", ...rest] = printed.toLowerCase().split(":");
  return [domain.slice(-4), ...rest].join(":");
}

/** `[N/A]`, `[Not Supported]` and the like stand for values that the GPU does not have. */
const valueOf = (cell: string | undefined): string | undefined =>
  cell === undefined || cell === "" || /^\[.*\]$|^n\/?a$/i.test(cell) ? undefined : cell;

function wholeOf(cell: string | undefined): number | undefined {
  const value = valueOf(cell);
  return value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

const rowsOf = (output: string): readonly string[][] =>
  output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.split(",").map((cell) => cell.trim()));

/** GT/s per lane by generation of PCI Express. */
const speeds = [2.5, 5, 8, 16, 32, 64];
const speedOf = (generation: number | undefined): number | undefined =>
  generation === undefined ? undefined : speeds[generation - 1];

const defined = <Value>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

/** An idle GPU slows its link down to save power, so the speed counts only in the highest performance state. */
function linkOf(cells: readonly string[]): DriverGpu["link"] {
  const [width, maxWidth, generation, maxGeneration] = cells.slice(7, 11).map(wholeOf);
  const speed = cells[6] === "P0" ? speedOf(generation) : undefined;
  return {
    ...defined("width", width),
    ...(maxWidth === undefined || maxWidth === 0 ? {} : { maxWidth }),
    ...defined("speed", speed),
    ...defined("maxSpeed", speedOf(maxGeneration)),
  };
}

function gpuOf(cells: readonly string[]): SmiGpu | null {
  const slot = addressOf(cells[0]);
  const [, model, serial, uuid, firmware] = cells.map(valueOf);
  if (slot === null || model === undefined || uuid === undefined || cells.length !== gpuFields.length)
    return null;
  const mebibytes = wholeOf(cells[5]);
  return {
    slot,
    model: model.slice(0, 256),
    uuid,
    ...(serial === undefined ? {} : { serial: serial.slice(0, 128) }),
    ...(firmware === undefined ? {} : { firmware: firmware.slice(0, 256) }),
    ...(mebibytes === undefined ? {} : { memoryBytes: String(BigInt(mebibytes) * 1024n * 1024n) }),
    link: linkOf(cells),
    ecc: {
      ...defined("corrected", wholeOf(cells[11])),
      ...defined("uncorrected", wholeOf(cells[12])),
    },
  };
}

/** All rows, or nothing: a line that is not a GPU may stand for one. */
export const readGpus = text((output): readonly SmiGpu[] | null => {
  const rows = rowsOf(output);
  if (rows.length === 0 || rows.length > maxGpus) return null;
  const gpus = rows.flatMap((cells) => gpuOf(cells) ?? []);
  return gpus.length === rows.length ? gpus : null;
});

const flagOf = (cell: string | undefined): boolean | undefined => {
  if (cell === undefined) return undefined;
  return /^(1|yes)$/i.test(cell) ? true : /^(0|no)$/i.test(cell) ? false : undefined;
};

/** By PCI address. */
export const readRemaps = text((output): ReadonlyMap<string, NonNullable<DriverGpu["ecc"]>> | null => {
  const rows = rowsOf(output);
  const found = new Map<string, NonNullable<DriverGpu["ecc"]>>();
  for (const cells of rows) {
    const slot = addressOf(cells[0]);
    if (slot === null || cells.length !== remapFields.length) return null;
    const corrected = wholeOf(cells[1]);
    const uncorrected = wholeOf(cells[2]);
    found.set(slot, {
      ...(corrected === undefined || uncorrected === undefined
        ? {}
        : { remappedRows: corrected + uncorrected }),
      ...defined("remapPending", flagOf(cells[3])),
      ...defined("remapFailed", flagOf(cells[4])),
    });
  }
  return found.size === 0 || found.size > maxGpus ? null : found;
});

const gpuLine = /^GPU \d+: .*\(UUID: (GPU-[0-9a-f-]{36})\)\s*$/;
const linkLine = /^\s+Link (\d+): (<inactive>|[\d.]+ GB\/s)\s*$/;
const maxLinks = 64;

/** By UUID of the GPU. */
export const readNvlinks = text((output): ReadonlyMap<string, { active: number; total: number }> | null => {
  const found = new Map<string, { active: number; total: number }>();
  let current: { active: number; total: number } | undefined;
  for (const line of output.split("\n")) {
    const uuid = gpuLine.exec(line)?.[1];
    if (uuid !== undefined) {
      current = { active: 0, total: 0 };
      found.set(uuid, current);
      continue;
    }
    const link = linkLine.exec(line);
    if (link === null || current === undefined || current.total >= maxLinks) continue;
    current.total += 1;
    if (link[2] !== "<inactive>") current.active += 1;
  }
  return found.size === 0 || found.size > maxGpus ? null : found;
});
