// Columns of past self-audits.
import Link from "next/link";
import { coveredText, resultText } from "@/components/audit-log/self-audit/check-text";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { SelfAuditLine } from "@/server/surfaces/trpc/types";

const toneOf = ({ faults, open }: SelfAuditLine) =>
  faults === 0 ? "good" : open === 0 ? "attention" : "failed";

export const checkColumns: readonly TableColumn<SelfAuditLine>[] = [
  {
    id: "at",
    label: "Ended",
    width: proofTimeWidth,
    rowHeader: true,
    narrow: "top-start",
    cell: ({ id, at }) => (
      <Link className="link" href={routes.audit({ open: id })} prefetch={false}>
        <ProofTime at={at} />
      </Link>
    ),
  },
  {
    id: "result",
    label: "Result",
    width: 200,
    narrow: "bottom-start",
    title: ({ kinds }) => kinds.map(({ label, count }) => `${label}: ${count}`).join(", "),
    cell: (check) => (
      <span className="marked-text">
        <Mark tone={toneOf(check)} label="" />
        <span className="cut">{resultText(check)}</span>
      </span>
    ),
  },
  {
    id: "seconds",
    label: "Duration",
    width: 88,
    align: "end",
    narrow: "top-end",
    cell: ({ seconds }) => formatDuration(seconds * 1_000),
  },
  {
    id: "covered",
    label: "Covered",
    spaced: true,
    narrow: "line",
    title: coveredText,
    cell: coveredText,
  },
  {
    id: "by",
    label: "Asked by",
    width: 140,
    from: "medium",
    cell: ({ askedBy }) => askedBy ?? "nightly",
  },
];
