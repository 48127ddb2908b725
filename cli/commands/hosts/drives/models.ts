// `reclaim drives models`: how erases went, by drive model, firmware and technique.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { formatRemnant } from "@/server/domain/cleaning/sanitization/models/remnant-text";
import type { DriveModelRow } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { readCount } from "@/cli/options";
import { csvText } from "@/cli/output/csv";
import { durationText } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const maxPerPage = 200;
const usualCount = 100;

const took = (ms: number | null): string => (ms === null ? "" : durationText(ms));

const columns: readonly Column<DriveModelRow>[] = [
  { name: "model", value: (row) => row.model, whole: true },
  { name: "firmware", value: (row) => row.firmware },
  { name: "technique", value: (row) => row.technique },
  { name: "hosts", value: (row) => row.hosts },
  { name: "runs", value: (row) => row.runs },
  {
    name: "remnants",
    value: (row) => row.remnants,
    text: (row) => formatRemnant(row.remnants, row.canaries, row.bound),
    tone: ({ remnants }) => (remnants > 0 ? "failed" : null),
  },
  { name: "half", value: (row) => row.halfMs, text: (row) => took(row.halfMs) },
  { name: "95%", value: (row) => row.mostMs, text: (row) => took(row.mostMs) },
  { name: "longest", value: (row) => row.longestMs, text: (row) => took(row.longestMs) },
  { name: "stalls", value: (row) => row.stalls, tone: ({ stalls }) => (stalls > 0 ? "failed" : null) },
  { name: "lies", value: (row) => row.lies, tone: ({ lies }) => (lies > 0 ? "failed" : null) },
  { name: "canaries", value: (row) => row.canaries, extra: true },
  { name: "bound", value: (row) => row.bound, extra: true },
  { name: "probed", value: (row) => row.probed, extra: true },
  { name: "refuted", value: (row) => row.refuted, extra: true },
  { name: "eraseBound", value: (row) => row.eraseBound, extra: true },
  { name: "completed", value: (row) => row.completed, extra: true },
  { name: "media", value: (row) => row.media, extra: true },
  { name: "last", value: (row) => row.lastAt, extra: true },
];

async function readModels(client: Client, text: string, limit: number): Promise<readonly DriveModelRow[]> {
  const rows: DriveModelRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.drives.models.query>> = await client.drives.models.query({
      text,
      cursor,
      limit: Math.min(maxPerPage, limit - rows.length),
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}

/** `reclaim drives models`. */
export function addDriveModels(drives: Command, surroundings: Surroundings): void {
  drives
    .command("models")
    .description(contract.drives.models.title)
    .argument("[text...]", "parts of its model, firmware or technique; default: all")
    .option("--limit <count>", "maximum number", readCount, usualCount)
    .option("--csv", "as CSV, with every column")
    .action(async (words: string[], options: { limit: number; csv?: boolean }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows = await readModels(client, words.join(" "), options.limit);
      if (options.csv === true) printer.text(csvText(rows, columns));
      else printer.list(rows, columns, "No erases.");
    });
}
