// The single table of causes: sentence and next check. Pages, API, command line and messages take their text from here.
import type { CauseKey } from "@/server/domain/cleaning/failures/cause";
import { driveCauses } from "@/server/domain/cleaning/failures/table/drives";
import { agentCauses, bmcCauses, networkCauses } from "@/server/domain/cleaning/failures/table/machines";
import { recordCauses, stepCauses } from "@/server/domain/cleaning/failures/table/records";
import type { CauseRow } from "@/server/domain/cleaning/failures/table/row";

export const causeTable = {
  ...driveCauses,
  ...agentCauses,
  ...bmcCauses,
  ...networkCauses,
  ...stepCauses,
  ...recordCauses,
} satisfies Record<CauseKey, CauseRow>;
