// `reclaim evidence`: evidence files: list, put, get, hold, end-hold.
import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { basename, extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { evidence, evidenceReceipt } from "@/server/contract/assurance/evidence";
import type { EvidenceFileLine } from "@/server/contract/assurance/evidence";
import { CommandError } from "@/cli/exit-codes";
import { refusedBy } from "@/cli/http";
import type { Column } from "@/cli/output/printer";
import { readPages } from "@/cli/output/pages";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<EvidenceFileLine>[] = [
  { name: "sha256", value: (row) => row.sha256, whole: true },
  { name: "name", value: (row) => row.name },
  { name: "type", value: (row) => row.type },
  { name: "bytes", value: (row) => row.bytes },
  { name: "by", value: (row) => row.uploadedBy },
  { name: "uploaded", value: (row) => row.uploadedAt },
  { name: "kept", value: (row) => row.keptAt },
  { name: "hold", value: (row) => row.hold?.reason ?? null },
  { name: "tenant", value: (row) => row.tenant, extra: true },
];

/** File types by extension; the server checks the content. */
const types: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".csv": "text/csv",
  ".txt": "text/plain",
  ".log": "text/plain",
};

function addFiles(group: Command, surroundings: Surroundings): void {
  group
    .command("put")
    .description("uploads a file: PNG, JPEG, PDF, JSON, CSV or plain text, at most 25 MiB")
    .argument("<file>")
    .action(async (file: string, _options: object, command: Command) => {
      const { ask, printer } = await openShell(command, surroundings);
      const body = await readFile(file).catch((error: unknown) => {
        throw new CommandError("usage", `${file} cannot be read: ${String(error)}`);
      });
      const type = types[extname(file).toLowerCase()] ?? "application/octet-stream";
      const response = await ask(`/api/evidence?name=${encodeURIComponent(basename(file))}`, {
        method: "POST",
        headers: { "content-type": type },
        body: new Uint8Array(body),
      });
      if (response.status !== 201) throw await refusedBy(response);
      const stored = evidenceReceipt.parse(await response.json());
      printer.show(stored, [{ facts: Object.entries(stored).map(([name, value]) => [name, String(value)]) }]);
    });
  group
    .command("get")
    .description("downloads a file; the download is logged")
    .argument("<sha256>")
    .requiredOption("--to <file>")
    .action(async (sha256: string, { to }: { readonly to: string }, command: Command) => {
      const { ask, printer } = await openShell(command, surroundings);
      const response = await ask(`/api/evidence/${encodeURIComponent(sha256)}`);
      if (response.status !== 200 || response.body === null) throw await refusedBy(response);
      try {
        await pipeline(Readable.from(response.body), createWriteStream(to, { flags: "wx", mode: 0o600 }));
      } catch (error) {
        // Do not remove a file that existed before.
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
          await rm(to, { force: true });
        throw new CommandError("failed", `${to} could not be written: ${String(error)}`);
      }
      printer.say(`${to} has it.`);
    });
}

/** `reclaim evidence` and its subcommands. */
export function addEvidence(program: Command, surroundings: Surroundings): void {
  const group = program.command("evidence").description("files that records use");
  group
    .command("list")
    .description(evidence.list.title)
    .option("--sha256 <digest>", "this one")
    .action(async ({ sha256 }: { readonly sha256?: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows = await readPages((cursor) => client.evidence.list.query({ sha256, cursor, limit: 500 }));
      printer.list(rows, columns, "No evidence files.");
    });
  addFiles(group, surroundings);
  for (const [name, title, act] of [
    ["hold", evidence.hold.title, "hold"],
    ["end-hold", evidence.endHold.title, "endHold"],
  ] as const)
    group
      .command(name)
      .description(title)
      .argument("<sha256>")
      .requiredOption("--reason <words>", "kept in the audit log")
      .action(async (sha256: string, { reason }: { readonly reason: string }, command: Command) => {
        const { client, printer } = await openShell(command, surroundings);
        await client.evidence[act].mutate({ sha256, reason });
        printer.say(act === "hold" ? "On legal hold." : "The legal hold has ended.");
      });
}
