// Options for the keys that an auditor trusts, shared by the commands that verify.
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { parsePolicy, policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { CommandError } from "@/cli/exit-codes";
import { readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export const addKeyOption = (command: Command): Command =>
  command.option(
    "--key <key>",
    "that you trust, as `reclaim audit keys` printed it, or a file of such lines; more than once too",
    collect,
    [],
  );

/** @param given keys, or files with a key on each line */
export async function readTrusted(
  given: readonly string[],
  surroundings: Surroundings,
): Promise<readonly VerifierKey[]> {
  const keys: VerifierKey[] = [];
  for (const one of given) {
    const text = existsSync(one) ? await readText("file of keys", one, surroundings) : one;
    for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
      const key = parseKey(line);
      if (key === null)
        throw new CommandError(
          "usage",
          `${line.slice(0, 80)} is no public key.`,
          "`reclaim audit keys` prints them; get yours through a channel that you trust.",
        );
      keys.push(key);
    }
  }
  return keys;
}

/** The values of the trust options. */
export interface TrustAsked {
  readonly key: readonly string[];
  readonly policy?: string;
}

/** Options for keys, or for a policy that names keys and the number of witnesses required. */
export const addTrustOptions = (command: Command): Command =>
  addKeyOption(command).option(
    "--policy <file>",
    "in the form of C2SP tlog-policy: keys that you trust, and how many of which witnesses",
  );

/** Throws CommandError. */
export async function readTrust(
  { key, policy: file }: TrustAsked,
  surroundings: Surroundings,
): Promise<Policy> {
  const keys = policyOfKeys(await readTrusted(key, surroundings));
  if (file === undefined) return keys;
  const parsed = parsePolicy(await readText("policy", file, surroundings));
  if (!parsed.ok) throw new CommandError("usage", `${file} is no policy: ${parsed.why}.`);
  return {
    ...parsed.policy,
    logs: [...parsed.policy.logs, ...keys.logs],
    witnesses: [...parsed.policy.witnesses, ...keys.witnesses],
  };
}

/** The error for a check that found nothing wrong but could not tell who signed. */
export const unknownSigner = (what: string): CommandError =>
  new CommandError(
    "unknownSigner",
    `${what} is consistent. Who signed it is not known.`,
    "--key names the key that you trust; `reclaim audit keys` prints the log's.",
  );
