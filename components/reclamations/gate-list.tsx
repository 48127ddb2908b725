// The gates of a reclamation in short: mark, name, on what it rests.
import { Mark } from "@/components/ui/mark";
import type { GateLine } from "@/server/surfaces/trpc/types";
import { gateLook } from "@/components/reclamations/gate-look";

/** One line per gate, in the order of evaluation. */
export function GateList({ gates, columns = 1 }: { gates: readonly GateLine[]; columns?: 1 | 2 }) {
  return (
    <ul className={columns === 2 ? "gates two-col" : "gates"}>
      {gates.map(({ gate, status, reason }) => {
        const { tone, none, words } = gateLook[status];
        return (
          <li key={gate}>
            <Mark tone={tone} none={none} label={words} />
            <span>{gate}</span>
            <span className="evidence cut" title={reason}>
              {reason}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
