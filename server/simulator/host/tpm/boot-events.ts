// What a simulated machine measures while it starts our image from the network (TCG PC Client Platform Firmware Profile, 3.3.4 and 10.4). Nothing in it belongs
// to one machine: those of one model with the same firmware, secure-boot keys and image measure the same.
import { createHash } from "node:crypto";
import { models } from "@/server/simulator/fleet/models";
import { le16, le32, le64 } from "@/server/simulator/host/tpm/bytes";
import type { BootEvent } from "@/server/simulator/host/tpm/event-log";
import type { StartedImage } from "@/server/simulator/host/ipxe";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const types = {
  separator: 0x00000004,
  tagged: 0x00000006,
  version: 0x00000008,
  configuration: 0x0000000a,
  variable: 0x80000001,
  application: 0x80000003,
  driver: 0x80000004,
  action: 0x80000007,
  firmware: 0x80000008,
} as const;

const sha256 = (content: Buffer | string): Buffer => createHash("sha256").update(content).digest();

/** `content`: what was hashed, unless it is the data of the event itself. */
const measured = (
  register: number,
  type: keyof typeof types,
  data: Buffer,
  content: Buffer | string = data,
): BootEvent => ({ register, type: types[type], data, digest: sha256(content) });

const action = (register: number, text: string): BootEvent =>
  measured(register, "action", Buffer.from(text, "latin1"));
const separator = (register: number): BootEvent => measured(register, "separator", Buffer.alloc(4));

const ucs2 = (text: string): Buffer => Buffer.from(text, "utf16le");

/** A device path of one file (UEFI 2.10, 10.3.5.4). */
function devicePath(file: string): Buffer {
  const name = ucs2(`${file}\0`);
  const end = Buffer.of(0x7f, 0xff, 4, 0);
  return Buffer.concat([Buffer.of(4, 4), le16(4 + name.length), name, end]);
}

/** UEFI_IMAGE_LOAD_EVENT; `content` stands for the bytes of the program. */
function program(register: number, type: "application" | "driver", file: string, content = file): BootEvent {
  const path = devicePath(file);
  return measured(register, type, Buffer.concat([le64(0n, 0n, 0n, BigInt(path.length)), path]), content);
}

/** Groups of a GUID as firmware stores them. */
function guid(text: string): Buffer {
  const [first = "", second = "", third = "", ...rest] = text.split("-");
  const swapped = (group: string) => Buffer.from(group, "hex").reverse();
  return Buffer.concat([...[first, second, third].map(swapped), Buffer.from(rest.join(""), "hex")]);
}
const globalVariable = guid("8be4df61-93ca-11d2-aa0d-00e098032b8c");
const imageSecurityDatabase = guid("d719b2cb-3d3a-4596-a3bc-dad00e67656f");

/** UEFI_VARIABLE_DATA */
function variable(name: string, content: Buffer): BootEvent {
  const owner = name.startsWith("db") ? imageSecurityDatabase : globalVariable;
  const lengths = le64(BigInt(name.length), BigInt(content.length));
  return measured(7, "variable", Buffer.concat([owner, lengths, ucs2(name), content]));
}

/** Secure boot as its BMC shows it: whether it is on, and the four databases. The trees have it switched off. */
function secureBootEvents({ blueprint, platform }: SimulatedHost): BootEvent[] {
  const others = Object.entries(platform.others);
  const isOn = others.some(
    ([path, own]) => path.endsWith("/SecureBoot") && own?.["SecureBootEnable"] === true,
  );
  const database = (name: string): BootEvent => {
    // Without a platform key the machine is in setup mode.
    if (name === "PK" && platform.secureBootMode === "SetupMode") return variable(name, Buffer.alloc(0));
    const changes = others
      .filter(([path]) => path.includes(`/SecureBootDatabases/${name}/`))
      .map(([path, own]) => (own === null ? `without ${path}` : JSON.stringify(own)))
      .toSorted();
    return variable(name, Buffer.from([`${name} of ${blueprint.vendor}`, ...changes].join("\n")));
  };
  return [variable("SecureBoot", Buffer.of(isOn ? 1 : 0)), ...["PK", "KEK", "db", "dbx"].map(database)];
}

/** The version that was written into it, whatever its BMC shows. */
function firmwareVersion({ blueprint, platform }: SimulatedHost): string {
  platform.jobs.list();
  const flashed = Object.entries(platform.firmware).find(([path]) => /bios|uefi/i.test(path));
  return flashed?.[1] ?? models[blueprint.model].biosVersion;
}

const firmwareEvents = (host: SimulatedHost, changed: boolean): BootEvent[] => {
  const { manufacturer, product, cpus, memoryBytes, nics } = models[host.blueprint.model];
  const version = firmwareVersion(host);
  const code = `${manufacturer} ${product} ${version}${changed ? ", changed by somebody" : ""}`;
  const hardware = JSON.stringify({ manufacturer, product, cpus, memoryBytes: String(memoryBytes) });
  return [
    measured(0, "version", ucs2(`${version}\0`)),
    measured(0, "firmware", le64(0n, 0n), code),
    // Its processors and memory. Firmware differs in whether it also measures its settings: this one does not.
    measured(1, "configuration", Buffer.from(hardware)),
    ...nics.map(({ name }) => program(2, "driver", `${name}.rom`, `option ROM of ${name} in ${product}`)),
  ];
};

/** TCG_PCClientTaggedEvent */
function tagged(id: number, name: string, digest: Buffer): BootEvent {
  const text = Buffer.from(`${name}\0`, "latin1");
  return { register: 9, type: types.tagged, data: Buffer.concat([le32(id, text.length), text]), digest };
}

/** As the command line gives it; else its address stands for its content. */
function initrdDigest({ initrd, commandLine }: StartedImage): Buffer {
  const given = /(?:^|\s)reclaim\.initrd_sha256=([0-9a-f]{64})(?:\s|$)/.exec(commandLine)?.[1];
  return given === undefined ? sha256(initrd ?? "") : Buffer.from(given, "hex");
}

/**
 * What Linux' own stub measures, all of it into register 9 (Linux, drivers/firmware/efi/libstub/efi-stub-helper.c). Both events are in the log that the kernel
 * shows.
 */
const stubEvents = (image: StartedImage): BootEvent[] => [
  tagged(0x8f3b22ed, "LOADED_IMAGE::LoadOptions", sha256(ucs2(`${image.commandLine}\0`))),
  tagged(0x8f3b22ec, "Linux initrd", initrdDigest(image)),
];

/** How this boot differs from that of a machine that is as it should be. */
export interface BootChanges {
  /** Its firmware is another one, of the same version. */
  readonly firmware: boolean;
  /** It started another program instead of our kernel. */
  readonly kernel: boolean;
}

/** The address of the kernel stands for its content: nobody loads it. */
export const bootEvents = (host: SimulatedHost, image: StartedImage, changes: BootChanges): BootEvent[] => [
  ...firmwareEvents(host, changes.firmware),
  ...secureBootEvents(host),
  separator(7),
  action(4, "Calling EFI Application from Boot Option"),
  ...[0, 1, 2, 3, 4, 5, 6].map(separator),
  program(4, "application", "ipxe.efi"),
  changes.kernel
    ? program(4, "application", "grubx64.efi")
    : program(4, "application", "vmlinuz", image.kernel),
  ...stubEvents(image),
  action(5, "Exit Boot Services Invocation"),
  action(5, "Exit Boot Services Returned with Success"),
];
