// `reclaim audit keys`, `rotate-key`, `proof`, `check`: the log's signing keys, and the proof of a single event.
import { audit } from "@/server/contract/audit-log/audit-log";
import type { AuditKeyLine } from "@/server/contract/audit-log/audit-log";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parseEntry } from "@/server/domain/audit-log/entry";
import { writeLogFile } from "@/cli/commands/audit-log/files";
import { readTrust, trustOptions, unknownSigner } from "@/cli/commands/audit-log/trust";
import { act, command } from "@/cli/define/command";
import { arg, needed, opt, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { readText } from "@/cli/shell";

const columns: readonly Column<AuditKeyLine>[] = [
  { name: "key", value: (row) => row.key, whole: true },
  { name: "since", value: (row) => row.createdAt },
  { name: "origin", value: (row) => row.origin, extra: true },
];

/** The commands for keys and for proofs of single events. */
export const proofs = [
  command("audit keys", {
    title: audit.keys.title,
    uses: ["audit.keys"],
    shape: audit.keys.output,
    options: { to: opt("<file>", "save the keys there, for --key of the commands that check") },
    run: async ({ client, printer }, { to }) => {
      const keys = await client.audit.keys.query();
      printer.list(keys, columns, "The log has no key yet.");
      if (to !== undefined) await writeLogFile(".", to, keys.map(({ key }) => `${key}\n`).join(""));
    },
  }),
  act("audit rotate-key", {
    of: "audit.rotateKey",
    options: { reason },
    asks: () => [["The audit log will be signed with a new key."], "Go on?"],
    said: (_, { before }) =>
      `A new key was requested. It starts signing within seconds, and is signed by ${before}: \`reclaim audit keys\`.`,
  }),
  command("audit proof", {
    title: audit.proof.title,
    uses: ["audit.proof"],
    args: { id: arg("<id>", "event id from `audit list --columns id`") },
    options: { to: needed(opt("<file>", "file for the proof; the event is saved beside it as <file>.json")) },
    run: async ({ client, printer }, { id, to }) => {
      const { seq, entry, proof } = await client.audit.proof.query({ id });
      await writeLogFile(".", to, proof);
      await writeLogFile(".", `${to}.json`, entry);
      printer.say(`Event ${seq}: ${to} and ${to}.json. \`reclaim audit check ${to}\` checks them.`);
    },
  }),
  command("audit check", {
    title: "checks a proof from `reclaim audit proof`, and its event; works offline",
    signedIn: false,
    args: { file: arg("<file>", "the proof") },
    options: trustOptions,
    run: async ({ printer, surroundings }, { file, ...asked }) => {
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
    },
  }),
];
