// A BMC that the command asks itself, from where the person is: its address, the credential, and what vouches for it.
import { stat } from "node:fs/promises";
import { fingerprint } from "@/server/domain/hardware/certificate";
import type { AddressToCheck } from "@/server/hardware/redfish/check/check-place";
import { opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { promptSecret } from "@/cli/prompt-secret";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

export const accessOptions = {
  username: opt("<name>", "user on the BMC; default: RECLAIM_BMC_USERNAME"),
  passwordFrom: opt("<reference>", "env:NAME or file:path; default: RECLAIM_BMC_PASSWORD, or asked for"),
  certificate: opt("<sha256>", "fingerprint of the certificate that the BMC must show"),
  ca: opt("<file>", "authorities as PEM, in place of this machine's"),
};

/** The HTTP library that reads BMCs needs this Node, as its package says (undici, `engines`). */
const oldestNode = [22, 19] as const;

export function requireNode(name: string): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new CommandError(
    "usage",
    `\`reclaim ${name}\` needs Node ${oldestNode.join(".")} or later; this is ${process.versions.node}.`,
  );
}

export const isFolder = async (place: string): Promise<boolean> =>
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

interface Given extends Credential {
  readonly certificate: string | undefined;
  readonly ca: string | undefined;
  readonly system: string | null;
}

/** Asks for the password if it has to; everything else is checked before. */
export async function addressOf(
  surroundings: Surroundings,
  place: string,
  { ca, certificate, system, ...given }: Given,
): Promise<AddressToCheck> {
  const pinned = certificateOf(certificate);
  const authorities = ca === undefined ? null : await readText("file of authorities", ca, surroundings);
  const address = shortAddress(place);
  if (!URL.canParse(address)) throw new CommandError("usage", `${place} is neither a folder nor an address.`);
  return { address, ...(await credentialOf(surroundings, given)), certificate: pinned, system, authorities };
}
