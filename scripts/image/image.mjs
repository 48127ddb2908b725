// `npm run image`: builds the cleaning image (kernel, initramfs with the agent) from Debian packages, reproducibly for the same packages and commit.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, zstdCompressSync } from "node:zlib";
import { build } from "esbuild";
import { programs } from "../../agent/tools/machine/program/paths.ts";
import { agent } from "../bundles.mjs";
import { pinnedNode, stateFiles } from "../folders.mjs";
import { archive } from "./archive.mjs";
import { newestPackages, unpackPackages } from "./packages.mjs";
import { Tree } from "./tree.mjs";

const usage = `usage: npm run image -- [--out FOLDER] [--packages image.json] [--add FOLDER] [--sign KEY,CERTIFICATE]

  --out       where vmlinuz, initrd.img and image.json go; .reclaim/image if not given
  --packages  build from the packages that an earlier image.json names, and no newer ones
  --add       files that go into the image as they are, by their place below the folder
  --sign      also write vmlinuz.sig and initrd.img.sig for iPXE's imgverify, with openssl`;

/** Programs that are not files of a package: our own link to BusyBox, a Lenovo program that a site adds, and NVIDIA's, of which one comes with its driver. */
/** @type {ReadonlySet<string>} */
const notPackaged = new Set([programs.reboot, programs.mnvCli, programs.nvidiaSmi, programs.nvidiaGpuTools]);
/** BusyBox applets that `init` uses. */
const applets =
  "mount sh mkdir find cat sort xargs sleep ip udhcpc tail touch uname ls mknod ln reboot poweroff".split(
    " ",
  );

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");
const ours = (/** @type {string} */ name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)));

async function agentProgram() {
  const { outputFiles } = await build({ ...agent, sourcemap: false, write: false, outdir: "dist" });
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error("esbuild made no agent");
  return file.contents;
}

/** Creates `modules.dep` and the like with the image's own kmod: the build machine may have another version, or none. @param {string} staging */
function listDrivers(staging) {
  const [version] = readdirSync(join(staging, "lib/modules"));
  const libraries = ["lib", "usr/lib"].map((folder) => join(staging, folder, "x86_64-linux-gnu")).join(":");
  const loader = join(staging, "lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
  // kmod decides what to do by its program name.
  execFileSync(loader, [
    "--library-path",
    libraries,
    "--argv0",
    "depmod",
    join(staging, "bin/kmod"),
    "-b",
    staging,
    String(version),
  ]);
}

/** @param {string} staging the unpacked packages @param {string | undefined} added */
async function files(staging, added) {
  const tree = new Tree(staging);
  for (const path of Object.values(programs)) if (!notPackaged.has(path)) tree.program(path);
  for (const path of [
    "/usr/bin/busybox",
    "/usr/sbin/modprobe",
    "/usr/lib/x86_64-linux-gnu/libtss2-tcti-device.so.0",
  ])
    tree.program(path);
  for (const name of applets)
    if (!tree.entries.has(`usr/bin/${name}`)) tree.link(`/usr/bin/${name}`, "busybox");
  tree.link(programs.reboot, "../bin/busybox");
  tree.folder("/usr/share/mstflint");
  // Without it lspci has no names.
  tree.folder("/usr/share/misc", (path) => path.endsWith("/pci.ids"));
  tree.folder("/usr/share/smartmontools");
  const kernel = tree.drivers();
  tree.foreignProgram("/usr/bin/node", readFileSync(pinnedNode));
  tree.put("/usr/share/reclaim/agent.js", await agentProgram());
  tree.put("/usr/share/reclaim/package.json", Buffer.from('{"type":"module"}\n'));
  tree.put("/init", ours("init"), true);
  tree.put("/etc/udhcpc", ours("udhcpc"), true);
  tree.put("/etc/passwd", Buffer.from("root:x:0:0:root:/:/bin/sh\n"));
  if (added !== undefined) tree.add(added);
  return { kernel, entries: tree.entries };
}

/** @param {string} file @param {string} keyAndCertificate */
function sign(file, keyAndCertificate) {
  const [key = "", certificate = ""] = keyAndCertificate.split(",");
  // https://ipxe.org/crypto, "Code signing"
  execFileSync("openssl", [
    "cms",
    "-sign",
    "-binary",
    "-noattr",
    "-in",
    file,
    "-signer",
    certificate,
    "-inkey",
    key,
    "-outform",
    "DER",
    "-out",
    `${file}.sig`,
  ]);
}

/** @param {{ out: string, packages: string | undefined, added: string | undefined, signing: string | undefined }} options */
async function makeImage({ out, packages: given, added, signing }) {
  const staging = mkdtempSync(join(tmpdir(), "reclaim-image-"));
  try {
    const cache = stateFiles().imagePackages;
    console.log(
      given === undefined ? "Asking apt for the newest packages" : `Taking the packages of ${given}`,
    );
    const packages =
      given === undefined ? await newestPackages(staging) : JSON.parse(readFileSync(given, "utf8")).packages;
    console.log(`Unpacking ${packages.length} packages`);
    const unpacked = join(staging, "root");
    mkdirSync(unpacked);
    await unpackPackages(packages, cache, unpacked);
    listDrivers(unpacked);
    const { kernel, entries } = await files(unpacked, added);
    console.log(`Packing ${entries.size} files`);
    const initrd = zstdCompressSync(archive(entries), {
      // A fixed number of threads splits the archive at the same places on any machine, so the bytes stay the same.
      params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_nbWorkers]: 2 },
    });
    const vmlinuz = readFileSync(join(unpacked, "boot", `vmlinuz-${kernel}`));
    mkdirSync(out, { recursive: true });
    const made = { vmlinuz, "initrd.img": initrd };
    for (const [name, bytes] of Object.entries(made)) {
      rmSync(join(out, `${name}.sig`), { force: true });
      writeFileSync(join(out, name), bytes);
      if (signing !== undefined) sign(join(out, name), signing);
    }
    const digests = Object.fromEntries(Object.entries(made).map(([name, bytes]) => [name, sha256(bytes)]));
    const note = { kernel, node: process.version, sha256: digests, packages };
    writeFileSync(join(out, "image.json"), `${JSON.stringify(note, undefined, 2)}\n`);
    return { kernel, digests, bytes: initrd.length };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    packages: { type: "string" },
    add: { type: "string" },
    sign: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help === true) console.log(usage);
else {
  if (values.add !== undefined && !existsSync(values.add)) throw new Error(`${values.add} does not exist`);
  const out = resolve(values.out ?? stateFiles().image);
  const { kernel, digests, bytes } = await makeImage({
    out,
    packages: values.packages,
    added: values.add === undefined ? undefined : resolve(values.add),
    signing: values.sign,
  });
  console.log(
    `${out}: kernel ${kernel}, initrd.img of ${Math.round(bytes / 1e6)} MB, SHA-256 ${digests["initrd.img"]}`,
  );
}
