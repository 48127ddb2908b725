// `reclaim bmc check`: whether Reclaim can work with a BMC or with one whose answers were captured. It asks the BMC itself, without a server.
import { stat } from "node:fs/promises";
import { z } from "zod";
import {
  bmcCheck as check,
  bmcChecks,
  bmcVerdicts,
  statusTones,
  statusWords,
  verdictWords,
  type BmcCheck,
  type BmcVerdict,
} from "@/server/domain/hardware/bmc-report";
import { fingerprint } from "@/server/domain/hardware/certificate";
import { list, record } from "@/server/contract/define";
import { command } from "@/cli/define/command";
import { arg, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { promptSecret } from "@/cli/prompt-secret";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { readText } from "@/cli/shell";
import type { Column, Printer } from "@/cli/output/printer";
import type { Surroundings } from "@/cli/surroundings";

export const checkColumns: readonly Column<BmcCheck>[] = [
  { name: "check", value: (row) => row.check, text: (row) => bmcChecks[row.check].label, whole: true },
  {
    name: "status",
    value: (row) => row.status,
    text: (row) => statusWords[row.status],
    tone: (row) => statusTones[row.status],
    whole: true,
  },
  {
    name: "says",
    value: (row) => row.says,
    text: (row) => (row.todo === null ? row.says : `${row.says} ${row.todo}`),
    long: true,
  },
  { name: "todo", value: (row) => row.todo, extra: true },
];

export const reportShape = record({ verdict: z.enum(bmcVerdicts), checks: list(check) });

/** Prints a report. Throws if the BMC cannot be worked with, or if that is not known. */
export function tellReport(
  printer: Printer,
  report: { readonly verdict: BmcVerdict; readonly checks: readonly BmcCheck[] },
): void {
  const { verdict, checks } = report;
  printer.show({ verdict, checks }, [{ table: printer.table(report.checks, checkColumns) }]);
  if (report.verdict === "works") return printer.say(verdictWords.works);
  throw new CommandError(
    report.verdict === "doesNotWork" ? "failed" : "notNow",
    verdictWords[report.verdict],
    "Each check says what to do.",
  );
}

/** The HTTP library that reads BMCs needs this Node, as its package says (undici, `engines`). */
const oldestNode = [22, 19] as const;

function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new CommandError(
    "usage",
    `\`reclaim bmc check\` needs Node ${oldestNode.join(".")} or later; this is ${process.versions.node}.`,
  );
}

const isFolder = async (place: string): Promise<boolean> =>
  (await stat(place).catch(() => null))?.isDirectory() === true;

const shortAddress = (place: string): string => (/^https?:\/\//i.test(place) ? place : `https://${place}`);

interface Credential {
  readonly username: string | undefined;
  readonly passwordFrom: string | undefined;
}

/** From the options, from the environment, or asked for. Never from an argument, which other people on the machine can read. */
async function credentialOf(surroundings: Surroundings, { username, passwordFrom }: Credential) {
  const { environment, stdin } = surroundings;
  const user = username ?? environment.variable("RECLAIM_BMC_USERNAME");
  if (user === null || user === undefined)
    throw new CommandError("usage", "Name the BMC's user: --username, or RECLAIM_BMC_USERNAME.");
  if (passwordFrom !== undefined) {
    const secrets = await readNamedSecrets("The command", [passwordFrom], ".", surroundings);
    return { username: user, password: secrets[passwordFrom] ?? "" };
  }
  const kept = environment.variable("RECLAIM_BMC_PASSWORD");
  if (kept !== null) return { username: user, password: kept };
  if (stdin.isTTY !== true)
    throw new CommandError(
      "usage",
      "There is no terminal to ask for the BMC's password.",
      "Set RECLAIM_BMC_PASSWORD, or name it with --password-from env:NAME or file:path.",
    );
  return { username: user, password: await promptSecret(surroundings, `Password of ${user}: `) };
}

function certificateOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const parsed = fingerprint.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CommandError("usage", "--certificate must be a SHA-256 fingerprint: 64 hexadecimal digits.");
}

export const bmcCheck = command("bmc check", {
  title: "says which of Reclaim's operations work with a BMC, or with a captured Redfish tree",
  shape: reportShape,
  signedIn: false,
  args: {
    place: arg(
      "<tree|address>",
      "folder with redfish/v1/index.json, as DMTF's mockups have it; or the address of a BMC",
    ),
  },
  options: {
    username: opt("<name>", "user on the BMC; default: RECLAIM_BMC_USERNAME"),
    passwordFrom: opt("<reference>", "env:NAME or file:path; default: RECLAIM_BMC_PASSWORD, or asked for"),
    certificate: opt("<sha256>", "fingerprint of the certificate that the BMC must show"),
    ca: opt("<file>", "authorities as PEM, in place of this machine's"),
    system: opt("<path>", "which system, if there are several"),
  },
  examples: ["bmc check 10.0.0.7 --username root", "bmc check ./captured -o json"],
  note: "It changes nothing on a BMC but its sessions: it opens one and deletes it. No server of Reclaim takes part.\nExit code 1: Reclaim cannot work with the BMC as it is. 5: that is not known.",
  run: async ({ printer, surroundings }, { place, ca, certificate, system = null, ...given }) => {
    requireNode();
    const { interrupted } = surroundings;
    // The client for BMCs takes longer to load than the rest of the command.
    const { checkAddress, checkTree } = await import("@/server/hardware/redfish/check/check-place");
    if (await isFolder(place)) {
      const report = await checkTree(place, system, interrupted);
      if (report === null)
        throw new CommandError(
          "usage",
          `${place} is no captured tree: it has no index.json of the service root, neither in redfish/v1 nor in itself.`,
        );
      return tellReport(printer, report);
    }
    const pinned = certificateOf(certificate);
    const authorities = ca === undefined ? null : await readText("file of authorities", ca, surroundings);
    const address = shortAddress(place);
    if (!URL.canParse(address))
      throw new CommandError("usage", `${place} is neither a folder nor an address.`);
    const credential = await credentialOf(surroundings, given);
    return tellReport(
      printer,
      await checkAddress({ address, ...credential, certificate: pinned, system, authorities }, interrupted),
    );
  },
});
