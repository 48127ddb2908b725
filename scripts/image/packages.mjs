// The Debian packages of the cleaning image: which ones, where from, and unpacking them. Nothing is installed on the build machine.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * The packages of an image besides Node and the agent; their dependencies are added. Each contains programs of
 * `agent/tools/machine/program/paths.ts`, or something `init` needs.
 */
export const wanted = [
  "linux-image-amd64",
  "busybox-static",
  "kmod",
  "ca-certificates",
  "coreutils",
  "util-linux",
  "util-linux-extra",
  "e2fsprogs",
  "nvme-cli",
  "hdparm",
  "sg3-utils",
  "smartmontools",
  "dmidecode",
  "pciutils",
  "ethtool",
  "stress-ng",
  "mstflint",
  "tpm2-tools",
];

/** @typedef {{ readonly name: string, readonly url: string, readonly sha256: string }} Package a Debian package; `name` is its file */

/** Gives apt a state folder of its own, so that installed packages do not matter. @param {string} folder */
function aptOptions(folder) {
  const state = join(folder, "apt");
  for (const part of ["lists/partial", "archives/partial"]) mkdirSync(join(state, part), { recursive: true });
  writeFileSync(join(state, "status"), "");
  return [
    ["Dir::State", state],
    ["Dir::State::status", join(state, "status")],
    ["Dir::Cache", state],
    ["APT::Install-Recommends", "false"],
    ["APT::Architecture", "amd64"],
  ].flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** @param {string} program @param {readonly string[]} args @returns {Promise<string>} standard output */
async function output(program, args) {
  return (await execute(program, args, { maxBuffer: 64 << 20 })).stdout;
}

/**
 * The newest packages from this machine's own sources, with all dependencies.
 * @param {string} folder for apt's lists
 * @returns {Promise<readonly Package[]>} sorted by name
 */
export async function newestPackages(folder) {
  const options = aptOptions(folder);
  await output("apt-get", [...options, "-qq", "update"]);
  const install = [...options, "-qq", "install", "--print-uris", ...wanted];
  const files = (await output("apt-get", install))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const parts = /^'(\S+)' (\S+) /.exec(line);
      if (parts === null) throw new Error(`apt-get said what is not understood: ${line}`);
      return { url: String(parts[1]), name: String(parts[2]) };
    });
  const digests = await listedDigests(join(folder, "apt", "lists"), options);
  return files
    .map(({ name, url }) => {
      const sha256 = digests.get(decodeURIComponent(url.slice(url.indexOf("/pool/") + 1)));
      if (sha256 === undefined) throw new Error(`${url} is in no list of apt`);
      return { name, url, sha256 };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * SHA-256 of each file in the lists, by its path on the mirror. `--print-uris` only prints a package's first digest.
 * @param {string} lists
 * @param {readonly string[]} options
 */
async function listedDigests(lists, options) {
  const targets = await output("apt-get", [
    ...options,
    "indextargets",
    "--format",
    "$(FILENAME)",
    "Created-By: Packages",
  ]);
  /** @type {Map<string, string>} */
  const digests = new Map();
  for (const file of targets.split("\n").filter((line) => line.startsWith(lists)))
    for (const entry of (await output("/usr/lib/apt/apt-helper", ["cat-file", file])).split("\n\n")) {
      const path = /^Filename: (?:\.\/)?(.+)$/m.exec(entry)?.[1];
      const sha256 = /^SHA256: ([0-9a-f]{64})$/m.exec(entry)?.[1];
      if (path !== undefined && sha256 !== undefined) digests.set(path, sha256);
    }
  return digests;
}

/** @param {Package} file @param {string} path where it may be already @returns {Promise<void>} */
async function download({ url, sha256 }, path) {
  const right = (/** @type {Buffer} */ bytes) => createHash("sha256").update(bytes).digest("hex") === sha256;
  try {
    if (right(readFileSync(path))) return;
  } catch {
    // not there yet
  }
  const answer = await fetch(url);
  if (!answer.ok)
    throw new Error(
      `${url}: ${answer.status} ${answer.statusText}. A mirror keeps only the newest packages: build without --packages, or from snapshot.debian.org.`,
    );
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!right(bytes)) throw new Error(`${url} is not the file of SHA-256 ${sha256}`);
  writeFileSync(path, bytes);
}

/**
 * Unpacks the files of all packages into `root`, without running their scripts.
 * @param {readonly Package[]} packages
 * @param {string} cache keeps downloads
 * @param {string} root
 */
export async function unpackPackages(packages, cache, root) {
  mkdirSync(cache, { recursive: true });
  const left = packages.map((file) => ({ file, path: join(cache, file.name) }));
  const paths = left.map(({ path }) => path);
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await download(next.file, next.path);
    }),
  );
  for (const path of paths) await output("dpkg-deb", ["-x", path, root]);
}
