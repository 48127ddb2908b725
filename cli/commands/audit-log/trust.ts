// Options for the keys that an auditor trusts, shared by the commands that verify.
import { existsSync } from "node:fs";
import { parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { parsePolicy, policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { opt, parsed, usually } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const keyOption = usually(
  parsed(
    "<key>",
    "a key that you trust, from `audit keys`, or a file of such lines; repeatable",
    (text, before: readonly string[] = []): readonly string[] => [...before, text],
  ),
  [],
);

export const keyOptions = { key: keyOption };

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
          `${line.slice(0, 80)} is not a public key.`,
          "`reclaim audit keys` prints them; get yours through a channel that you trust.",
        );
      keys.push(key);
    }
  }
  return keys;
}

/** Options for keys, or for a policy that names keys and the number of witnesses required. */
export const trustOptions = {
  key: keyOption,
  policy: opt(
    "<file>",
    "C2SP tlog-policy file: the keys that you trust, and how many of which witnesses must cosign",
  ),
};

/** Throws CommandError. */
export async function readTrust(
  { key, policy: file }: Given<typeof trustOptions>,
  surroundings: Surroundings,
): Promise<Policy> {
  const keys = policyOfKeys(await readTrusted(key, surroundings));
  if (file === undefined) return keys;
  const parsed = parsePolicy(await readText("policy", file, surroundings));
  if (!parsed.ok) throw new CommandError("usage", `${file} is not a policy: ${parsed.why}.`);
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
    "Name a key that you trust with --key; `reclaim audit keys` prints the log's.",
  );
