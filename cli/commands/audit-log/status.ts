// `reclaim audit status`: the size of the log, and whether the database protects it.
import { formatCounted } from "@/server/domain/numbers";
import type { AuditState } from "@/server/contract/audit-log/audit-log";
import { show } from "@/cli/define/command";
import type { Cell } from "@/cli/output/table";
import type { Printer } from "@/cli/output/printer";

type Fact = readonly [string, string | Cell | null];

const bad = (text: string): Cell => ({ text, tone: "failed" });

const checkedText = (
  { at, ok, events, faults, open, first }: NonNullable<AuditState["selfAudit"]>,
  printer: Printer,
): string | Cell =>
  ok
    ? `${formatCounted(events, "event")}, nothing wrong, ${printer.timeAndAge(at)}`
    : open === 0
      ? `${faults} faults, all acknowledged, ${printer.timeAndAge(at)}`
      : bad(`${printer.timeAndAge(at)}: ${faults} faults, ${open} open: ${first.join("; ")}`);

const factsOf = (
  { numbered, checkpoint, keys, witnesses, quorum, role, changeable, selfAudit }: AuditState,
  printer: Printer,
): readonly Fact[] => [
  ["events", String(numbered)],
  [
    "signed",
    checkpoint === null
      ? bad("nothing yet")
      : `${formatCounted(checkpoint.size, "event")}, ${printer.timeAndAge(checkpoint.signedAt)}`,
  ],
  ["key", keys[0]?.key ?? null],
  ...witnesses.map(({ name, cosigned }): Fact => [
    `witness ${name}`,
    cosigned === null
      ? bad("has not cosigned yet")
      : `${formatCounted(cosigned.size, "event")}, ${printer.timeAndAge(cosigned.at)}`,
  ]),
  ["quorum", quorum === null ? "no witness is required" : quorum ? "met" : bad("not met")],
  [
    "protected",
    changeable.length === 0
      ? `yes: the server's role ${role} cannot change the log`
      : bad(
          `no: the server's role ${role} may change ${changeable.join(", ")}; see docs/operations.md, Database roles`,
        ),
  ],
  ["checked", selfAudit === null ? "not yet" : checkedText(selfAudit, printer)],
];

export const status = show("audit status", {
  of: "audit.state",
  parts: (state, printer) => [{ facts: factsOf(state, printer) }],
});
