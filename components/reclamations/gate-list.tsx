// A reclamation's gates in short: mark, name, and what each rests on.
import { Mark } from "@/components/ui/mark";
import type { GateLine } from "@/server/surfaces/trpc/types";
import { lookOf } from "@/components/reclamations/gate-look";

/** One line per gate, in the order of evaluation. */
export function GateList({ gates, columns = 1 }: { gates: readonly GateLine[]; columns?: 1 | 2 }) {
  return (
    <ul className={columns === 2 ? "gates two-col" : "gates"}>
      {gates.map((line) => {
        const { gate, reason, soFar } = line;
        const { tone, none, words } = lookOf(line);
        return (
          <li key={gate}>
            <Mark tone={tone} none={none} label={words} />
            <span>{gate}</span>
            <span className="evidence cut" title={soFar?.words ?? reason}>
              {soFar?.words ?? reason}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
