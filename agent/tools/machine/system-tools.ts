// The machine itself: its identity, its parts, its tests, and its restart.
import { networkInterfaces } from "node:os";
import { z } from "zod";
import { answerOf, doneOf, given, json, refused, silence, text } from "@/agent/tools/machine/program/answers";
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { nilUuid, ownUuid } from "@/server/domain/hosts/inventory/system-uuid";
import { noSelfTest, type Answer, type SystemTools } from "@/agent/tools/tools";

type Nics = NonNullable<Awaited<ReturnType<SystemTools["nics"]>>["value"]>;

const dmiFolder = "/sys/class/dmi/id";

const valueIn = async (files: Files, name: string): Promise<string> => {
  const value = (await lineIn(files, `${dmiFolder}/${name}`)) ?? "";
  return isPlaceholderSerial(value) ? "" : value;
};

async function readIdentity(files: Files) {
  const uuid = ownUuid((await lineIn(files, `${dmiFolder}/product_uuid`)) ?? "") || nilUuid;
  const [manufacturer, product, serial, board] = await Promise.all(
    ["sys_vendor", "product_name", "product_serial", "board_serial"].map((name) => valueIn(files, name)),
  );
  return {
    manufacturer: manufacturer ?? "",
    product: product ?? "",
    serial: serial || board || "",
    uuid,
    biosVersion: (await lineIn(files, `${dmiFolder}/bios_version`)) ?? "",
    boardSerial: board ?? "",
  };
}

interface CpuField {
  readonly field: string;
  readonly data: string | null;
  readonly children?: readonly CpuField[] | undefined;
}
const cpuField: z.ZodType<CpuField> = z.lazy(() =>
  z.object({
    field: z.string(),
    data: z.string().nullable(),
    children: z.array(cpuField).optional(),
  }),
);
const lscpu = z.object({ lscpu: z.array(cpuField) });
const flat = (fields: readonly CpuField[]): readonly CpuField[] =>
  fields.flatMap((field) => [field, ...flat(field.children ?? [])]);

/** One entry per socket. `lscpu -J`, which nests the fields since util-linux 2.38. */
export const readCpus = (
  output: Uint8Array,
): readonly { readonly model: string; readonly cores: number }[] | null => {
  const read = json(lscpu)(output);
  if (read === null) return null;
  const fields = flat(read.lscpu);
  const valueOf = (name: string) => fields.find(({ field }) => field === `${name}:`)?.data ?? "";
  const model = valueOf("Model name");
  const cores = Number(valueOf("Core(s) per socket") || valueOf("Core(s) per cluster"));
  const sockets = Number(valueOf("Socket(s)") || "1");
  const isWhole = [cores, sockets].every((count) => Number.isInteger(count) && count > 0 && count <= 4096);
  return model === "" || !isWhole ? null : Array.from({ length: sockets }, () => ({ model, cores }));
};

/** "MemTotal:       98138 kB" */
export const readMemory = text((output) => {
  const kibibytes = /^MemTotal:\s+(\d{1,15}) kB$/m.exec(output)?.[1];
  return kibibytes === undefined ? null : BigInt(kibibytes) * 1024n;
});

/** The IP addresses of an interface, by its name. */
type AddressesOf = (name: string) => readonly string[];

/** As the kernel has them now. */
const presentAddresses: AddressesOf = (name) =>
  (networkInterfaces()[name] ?? []).map(({ address }) => address);

/** RFC 3927 and RFC 4291, section 2.5.6: the machine gave them to itself. */
const isLinkLocal = (address: string): boolean => /^(169\.254\.|fe[89ab])/i.test(address);

/** More than a server takes of one interface. */
const maxAddresses = 16;

/** Cards with a place on a bus; what the kernel created (bridges, tunnels, loopback) has none. */
async function readNics(files: Files, addressesOf: AddressesOf): Promise<Nics | null> {
  const names = await files.list("/sys/class/net");
  if (names === null) return null;
  const nics: Nics[number][] = [];
  for (const name of names) {
    const folder = `/sys/class/net/${name}`;
    if ((await files.real(`${folder}/device`)) === null) continue;
    if ((await lineIn(files, `${folder}/type`)) !== "1") continue; // ARPHRD_ETHER: InfiniBand has longer addresses
    const mac = ((await lineIn(files, `${folder}/address`)) ?? "").toLowerCase();
    if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac)) return null;
    const addresses = addressesOf(name)
      .filter((address) => !isLinkLocal(address))
      .slice(0, maxAddresses);
    nics.push({
      ...{ name, mac, up: (await lineIn(files, `${folder}/carrier`)) === "1" },
      ...(addresses.length === 0 ? {} : { addresses }),
    });
  }
  return nics;
}

const stressLimitMs = 60_000;

/** What ethtool prints if a driver has no test (EOPNOTSUPP): virtio_net, and some cards. */
const notSupported = /Operation not supported/i;

async function testNic(run: RunTool, name: string): Promise<Answer<true>> {
  const answer = doneOf(await run(programs.ethtool, ["--test", name, "online"]), /PASS/);
  return answer.value === null && notSupported.test(answer.status)
    ? { ...answer, status: noSelfTest }
    : answer;
}

export const systemTools = (
  run: RunTool,
  files: Files,
  addressesOf: AddressesOf = presentAddresses,
): SystemTools => ({
  identity: async () => given(`read ${dmiFolder}`, await readIdentity(files)),
  cpus: async () => answerOf(await run(programs.lscpu, ["-J"]), readCpus),
  memoryBytes: async () => {
    const command = "read /proc/meminfo";
    const bytes = readMemory((await files.read("/proc/meminfo")) ?? new Uint8Array());
    return bytes === null ? refused(command, "no MemTotal") : given(command, bytes);
  },
  nics: async () => {
    const nics = await readNics(files, addressesOf);
    return nics === null
      ? refused("read /sys/class/net", "an interface cannot be read")
      : given("read /sys/class/net", nics);
  },
  stress: async (kind, seconds, share) => {
    const cpus = (await files.list("/sys/devices/system/cpu"))?.filter((name) =>
      /^cpu\d+$/.test(name),
    ).length;
    const load =
      kind === "cpu"
        ? ["--cpu", String(Math.max(1, Math.round(share * (cpus ?? 1))))]
        : ["--vm", "4", "--vm-bytes", `${Math.round(share * 100)}%`];
    const args = ["--verify", ...load, "--timeout", String(seconds), "--metrics-brief"];
    return doneOf(await run(programs.stressNg, args, { limitMs: seconds * 1000 + stressLimitMs }), silence);
  },
  testNic: (name) =>
    /^[\w.-]{1,15}$/.test(name)
      ? testNic(run, name)
      : Promise.resolve(refused(`${programs.ethtool} --test`, "not the name of an interface", 2)),
  restart: async () => doneOf(await run(programs.reboot, ["-f"]), silence),
});
