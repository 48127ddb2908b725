// Output of programs recorded in a virtual machine, played back in tests.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Files } from "@/agent/tools/machine/program/files";
import { commandText, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";

const stdout = z.union([
  z.object({ text: z.string() }),
  /** Bytes that are not zero, in hexadecimal, by their offset. */
  z.object({ bytes: z.int(), at: z.record(z.string(), z.string()) }),
]);
const recording = z.object({
  where: z.string(),
  programs: z.record(z.string(), z.object({ exitCode: z.int(), stdout, stderr: z.string() })),
});

function bytesOf(recorded: z.infer<typeof stdout>): Uint8Array {
  if ("text" in recorded) return Buffer.from(recorded.text);
  const bytes = Buffer.alloc(recorded.bytes);
  for (const [place, hex] of Object.entries(recorded.at)) bytes.set(Buffer.from(hex, "hex"), Number(place));
  return bytes;
}

const { programs } = recording.parse(
  JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")),
);

/** Output by command. */
export const recorded: ReadonlyMap<string, Ran> = new Map(
  Object.entries(programs).map(([command, { exitCode, stdout: printed, stderr }]) => [
    command,
    { command, exitCode, stdout: bytesOf(printed), stderr, cut: false },
  ]),
);

/** Plays back a command. One that was not recorded fails like a program that is not installed. */
export const playBack: RunTool = (path, args) => {
  const command = commandText(path, args);
  const ran = recorded.get(command);
  return Promise.resolve(
    ran ?? { command, exitCode: 127, stdout: new Uint8Array(), stderr: "not recorded", cut: false },
  );
};

/** Prints this for every program. */
export const printing =
  (output: string | Uint8Array, more: Partial<Ran> = {}): RunTool =>
  (path, args) =>
    Promise.resolve({
      command: commandText(path, args),
      exitCode: 0,
      stdout: typeof output === "string" ? Buffer.from(output) : output,
      stderr: "",
      cut: false,
      ...more,
    });

/** A tree of files by path; `links` are folders that are somewhere else. */
export function treeOf(
  content: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): Files & { readonly written: Map<string, Uint8Array> } {
  const written = new Map<string, Uint8Array>();
  const paths = [...Object.keys(content), ...Object.keys(links)];
  const read = (path: string) => {
    const found = written.get(path) ?? content[path];
    return found === undefined ? null : typeof found === "string" ? Buffer.from(found) : found;
  };
  return {
    written,
    read: (path) => Promise.resolve(read(path)),
    list: (folder) => {
      const below = paths.filter((path) => path.startsWith(`${folder}/`));
      const names = new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""));
      return Promise.resolve(names.size === 0 ? null : [...names].sort());
    },
    real: (path) => Promise.resolve(links[path] ?? null),
    write: (path, bytes) => {
      written.set(path, bytes);
      return Promise.resolve(null);
    },
  };
}

/** A PCI function as in sysfs; `links` has its driver. */
export const pciFunction = (address: string, classCode: string, vendor = "0x8086") => ({
  content: {
    [`/sys/bus/pci/devices/${address}/class`]: `${classCode}\n`,
    [`/sys/bus/pci/devices/${address}/vendor`]: `${vendor}\n`,
    [`/sys/bus/pci/devices/${address}/device`]: "0x1234\n",
  },
  links: { [`/sys/bus/pci/devices/${address}/driver`]: "/sys/bus/pci/drivers/one" },
});
