// `reclaim audit keys`, `rotate-key`, `proof`, `check`: the log's signing keys, and the proof of a single event.
import type { Command } from "commander";
import { audit } from "@/server/contract/audit-log/audit-log";
import type { AuditKeyLine } from "@/server/contract/audit-log/audit-log";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parseEntry } from "@/server/domain/audit-log/entry";
import { writeLogFile } from "@/cli/commands/audit-log/files";
import { addTrustOptions, readTrust, unknownSigner } from "@/cli/commands/audit-log/trust";
import type { TrustAsked } from "@/cli/commands/audit-log/trust";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell, readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<AuditKeyLine>[] = [
  { name: "key", value: (row) => row.key, whole: true },
  { name: "since", value: (row) => row.createdAt },
  { name: "origin", value: (row) => row.origin, extra: true },
];

function addKeys(group: Command, surroundings: Surroundings): void {
  group
    .command("keys")
    .description(audit.keys.title)
    .option("--to <file>", "writes the keys there, for --key of the commands that check")
    .action(async ({ to }: { readonly to?: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const keys = await client.audit.keys.query();
      printer.list(keys, columns, "The log has no key yet.");
      if (to !== undefined) await writeLogFile(".", to, keys.map(({ key }) => `${key}\n`).join(""));
    });
  group
    .command("rotate-key")
    .description(audit.rotateKey.title)
    .requiredOption("--reason <words>", "kept in the audit log")
    .action(async ({ reason }: { readonly reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(shell, ["The audit log will be signed with a new key."], "Go on?");
      const { before } = await shell.client.audit.rotateKey.mutate({ reason });
      shell.printer.say(
        `A new key was requested. It starts signing within seconds, and is signed by ${before}: \`reclaim audit keys\`.`,
      );
    });
}

function addProof(group: Command, surroundings: Surroundings): void {
  group
    .command("proof")
    .description(audit.proof.title)
    .argument("<id>", "as `reclaim audit list --columns id` has it")
    .requiredOption(
      "--to <file>",
      "the proof; what it proves, the event, goes beside it with .json after the name",
    )
    .action(async (id: string, { to }: { readonly to: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { seq, entry, proof } = await client.audit.proof.query({ id });
      await writeLogFile(".", to, proof);
      await writeLogFile(".", `${to}.json`, entry);
      printer.say(`Event ${seq}: ${to} and ${to}.json. \`reclaim audit check ${to}\` checks them.`);
    });
  addTrustOptions(group.command("check"))
    .description("a proof written by `reclaim audit proof`, and its event; works offline")
    .argument("<file>", "the proof")
    .action(async (file: string, asked: TrustAsked, command: Command) => {
      const { printer } = await openShell(command, surroundings, { signedIn: false });
      const proof = await readText("proof", file, surroundings);
      const entry = Buffer.from(await readText("event", `${file}.json`, surroundings), "utf8");
      const checked = await checkProof(entry, proof, await readTrust(asked, surroundings));
      const { faults, index, size, origin, signer, witnesses } = checked;
      if (faults.length > 0)
        throw new CommandError("tampered", `${file} proves nothing: ${faults.join("; ")}.`);
      printer.say(
        `Event ${index}, ${parseEntry(entry)?.action ?? "not of this log's form"}, is in the log of ${size} events of ${origin ?? "nobody"}.`,
      );
      for (const name of witnesses) printer.say(`Cosigned by ${name}.`);
      if (signer === null) throw unknownSigner("The proof");
    });
}

/** The commands for keys and for proofs of single events. */
export function addProofs(group: Command, surroundings: Surroundings): void {
  addKeys(group, surroundings);
  addProof(group, surroundings);
}
