// Entry on a real host: reads where the server is from arguments or the kernel command line, and starts the agent.
import { readFile } from "node:fs/promises";

const usage = "usage: agent --server URL, or reclaim.server=URL on the kernel command line";

/** `--server URL` wins over `reclaim.server=URL`. Null when neither names an http address. */
function serverUrl(args: readonly string[], kernelCommandLine: string): string | null {
  const given = args[args.indexOf("--server") + 1];
  const booted = /(?:^|\s)reclaim\.server=(\S+)/.exec(kernelCommandLine)?.[1];
  const url = args.includes("--server") ? given : booted;
  return url !== undefined && /^https?:\/\/[^\s/]+/.test(url) ? url : null;
}

async function main(): Promise<number> {
  const commandLine = await readFile("/proc/cmdline", "utf8").catch(() => "");
  if (serverUrl(process.argv.slice(2), commandLine) === null) {
    process.stderr.write(`${usage}\n`);
    return 64;
  }
  // Erasing with tools that are not there would report what never happened: better no agent than that one.
  process.stderr.write(
    "This build has no layer that runs nvme-cli, hdparm and the other tools, so it cannot treat real devices. It does not start.\n",
  );
  return 78;
}

process.exitCode = await main();
