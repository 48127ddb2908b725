// Until when a host is available because of an exception.
import { Time } from "@/components/ui/time/time";
import type { HostDetail } from "@/server/surfaces/trpc/types";

/** In any other state the host is cleaned anyway. */
const kept: ReadonlySet<string> = new Set(["Ready", "ReturnToAllocation/AwaitingRepair"]);

/** Empty if the host does not depend on an exception. */
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
