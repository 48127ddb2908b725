// `reclaim drives models`: how erases went, by drive model, firmware and technique.
import { formatRemnant } from "@/server/domain/cleaning/sanitization/models/remnant-text";
import type { DriveModelRow } from "@/server/surfaces/trpc/types";
import { list } from "@/cli/define/command";
import { arg } from "@/cli/define/values";
import { durationText } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";

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
  { name: "false successes", value: (row) => row.lies, tone: ({ lies }) => (lies > 0 ? "failed" : null) },
  { name: "canaries", value: (row) => row.canaries, extra: true },
  { name: "bound", value: (row) => row.bound, extra: true },
  { name: "probed", value: (row) => row.probed, extra: true },
  { name: "refuted", value: (row) => row.refuted, extra: true },
  { name: "eraseBound", value: (row) => row.eraseBound, extra: true },
  { name: "completed", value: (row) => row.completed, extra: true },
  { name: "media", value: (row) => row.media, extra: true },
  { name: "last", value: (row) => row.lastAt, extra: true },
];

export const driveModels = [
  list("drives models", {
    of: "drives.models",
    args: { text: arg("[text...]", "parts of a model, firmware or technique; default: all") },
    input: ({ text }) => ({ text: text.join(" ") }),
    rows: "rows",
    columns,
    perPage: 200,
    limit: 100,
    csv: true,
    none: "No erases.",
  }),
];
