// The one table of causes: sentence and what to check next. Page, API, command line and messages take their words from here.
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
