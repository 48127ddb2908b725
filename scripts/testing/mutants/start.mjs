// Safety checks of which database may be used, and of one that was restored: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const start = [
  ...of("unit", "server/domain/database/seeding.ts", "server/domain/database/seeding.test.ts", [
    ["start: no demo in a site that it did not make", "if (marker === null && sites + people + hosts > 0) {", "if (marker === null && sites + people + hosts < 0) {"],
    ["start: no fleet beside hosts of people", 'if (marker === "people" && hosts > 0) {', 'if (marker === "people" && hosts < 0) {'],
    ["start: not the fleet of another folder", "if (otherFleet) return", "if (otherFleet && hosts < 0) return"],
  ]),
  ...of("integration", "prisma/seed/begin.ts", "prisma/seed/begin.itest.ts", [
    ["start: the seed asks again in its own transaction", 'if (seeding.kind === "refuse") throw new NotSeededError(seeding.message);', ""],
  ]),
  ...of("integration", "prisma/seed/people.ts", "prisma/seed/begin.itest.ts", [
    ["start: nobody gets another password", "if (isThere && before === undefined && !renew) {", "if (isThere && before === undefined && !renew && known.length > 0) {"],
  ]),
  ...of("integration", "server/db/database-state.ts", "prisma/seed/begin.itest.ts", [
    ["start: a database keeps its key", "if (fingerprint !== ours) throw", "if (fingerprint === null) throw"],
    ["start: another key is refused before anything changes", "if (known !== null && known !== ours) throw", "if (known !== null && known === ours && key.length === 0) throw"],
    ["start: sealed secrets name their key", "if (other !== undefined) throw", "if (other === ours) throw"],
  ]),
];
