// Columns of past self-audits.
import Link from "next/link";
import { coveredText, resultText } from "@/components/audit-log/self-audit/check-text";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { SelfAuditLine } from "@/server/surfaces/trpc/types";
import { columnsOf } from "@/components/ui/table/column";

const toneOf = ({ faults, open }: SelfAuditLine) =>
  faults === 0 ? "good" : open === 0 ? "attention" : "failed";

const column = columnsOf<SelfAuditLine>();

export const checkColumns = [
  column.cell(
    "at",
    "Ended",
    ({ id, at }) => (
      <Link className="link" href={routes.audit({ open: id })} prefetch={false}>
        <ProofTime at={at} />
      </Link>
    ),
    { width: proofTimeWidth, rowHeader: true, narrow: "top-start" },
  ),
  column.cell(
    "result",
    "Result",
    (check) => (
      <span className="marked-text">
        <Mark tone={toneOf(check)} label="" />
        <span className="cut">{resultText(check)}</span>
      </span>
    ),
    {
      width: 200,
      narrow: "bottom-start",
      title: ({ kinds }) => kinds.map(({ label, count }) => `${label}: ${count}`).join(", "),
    },
  ),
  column.cell("seconds", "Duration", ({ seconds }) => formatDuration(seconds * 1_000), {
    width: 88,
    align: "end",
    narrow: "top-end",
  }),
  column.text("covered", "Covered", coveredText, { spaced: true, narrow: "line" }),
  column.text("by", "Asked by", ({ askedBy }) => askedBy, { width: 140, from: "medium", none: "nightly" }),
];
