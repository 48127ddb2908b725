// Until when a host is available by an exception.
import { Time } from "@/components/ui/time/time";
import type { HostDetail } from "@/server/surfaces/trpc/types";

/** Elsewhere the host is cleaned in any case. */
const kept: ReadonlySet<string> = new Set(["Ready", "ReturnToAllocation/AwaitingRepair"]);

/** None where the host rests on no exception. */
export const exceptionFacts = ({ state, exceptedUntil }: Pick<HostDetail, "state" | "exceptedUntil">) =>
  exceptedUntil === null || !kept.has(state)
    ? []
    : [
        {
          term: "Exception",
          words: (
            <>
              until <Time at={exceptedUntil} />, then cleaned again
            </>
          ),
        },
      ];
