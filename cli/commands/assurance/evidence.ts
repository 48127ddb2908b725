// `reclaim evidence`: evidence files: list, put, get, hold, end-hold.
import { createWriteStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { basename, extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { evidenceReceipt } from "@/server/contract/assurance/evidence";
import type { EvidenceFileLine } from "@/server/contract/assurance/evidence";
import { act, command, list } from "@/cli/define/command";
import { arg, needed, opt, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { refusedBy } from "@/cli/http";
import type { Column } from "@/cli/output/printer";

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

const sha256 = arg("<sha256>");

export const evidenceFiles = [
  list("evidence list", {
    of: "evidence.list",
    options: { sha256: opt("<digest>", "only this file") },
    rows: "rows",
    columns,
    perPage: 500,
    none: "No evidence files.",
  }),
  command("evidence put", {
    title: "uploads a file: PNG, JPEG, PDF, JSON, CSV or plain text, at most 25 MiB",
    args: { file: arg("<file>") },
    shape: evidenceReceipt,
    run: async ({ ask, printer }, { file }) => {
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
    },
  }),
  command("evidence get", {
    title: "downloads a file; the download is logged",
    args: { sha256 },
    options: { to: needed(opt("<file>", "where to save it")) },
    run: async ({ ask, printer }, { sha256: digest, to }) => {
      const response = await ask(`/api/evidence/${encodeURIComponent(digest)}`);
      if (response.status !== 200 || response.body === null) throw await refusedBy(response);
      try {
        await pipeline(Readable.from(response.body), createWriteStream(to, { flags: "wx", mode: 0o600 }));
      } catch (error) {
        // Do not remove a file that existed before.
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
          await rm(to, { force: true });
        throw new CommandError("failed", `${to} could not be written: ${String(error)}`);
      }
      printer.say(`Saved to ${to}.`);
    },
  }),
  act("evidence hold", {
    of: "evidence.hold",
    args: { sha256 },
    options: { reason },
    said: () => "On legal hold.",
  }),
  act("evidence end-hold", {
    of: "evidence.endHold",
    args: { sha256 },
    options: { reason },
    said: () => "The legal hold has ended.",
  }),
];
