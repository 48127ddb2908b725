// The single table of causes: sentence and next check. Pages, API, command line and messages take their text from here.
import type { CauseKey } from "@/server/domain/causes/cause";
import { driveCauses } from "@/server/domain/causes/table/drives";
import { agentCauses, bmcCauses, networkCauses } from "@/server/domain/causes/table/machines";
import { recordCauses, stepCauses } from "@/server/domain/causes/table/records";
import type { CauseRow } from "@/server/domain/causes/table/row";

export const causeTable = {
  ...driveCauses,
  ...agentCauses,
  ...bmcCauses,
  ...networkCauses,
  ...stepCauses,
  ...recordCauses,
} satisfies Record<CauseKey, CauseRow>;
