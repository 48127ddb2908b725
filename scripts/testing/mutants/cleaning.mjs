// Safety checks of admission, the brake and what a claim remembers: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const admission = [
  ...of("unit", "server/domain/cleaning/admission.ts", "server/domain/cleaning/admission.test.ts", [
    ["admission: hosts at work", "use.atWork >= limits.atWork)", "use.atWork > 99_999)"],
    ["admission: boots of a segment", "count(use.boots, host.segment) >= limits.bootsPerMinute)", "count(use.boots, host.segment) > 99_999)"],
    ["admission: those admitted now count", "    atWork += 1;\n", ""],
  ]),
  ...of("unit", "server/controller/handlers/queued.ts", "server/controller/handlers/queued.test.ts", [
    ["admission: a brake holds back who was told to begin", "if (braked !== null) {", "if (braked === undefined) {"],
    ["admission: a claim without brakes shows none", "if (draft.view.brakes === null) return wait(", "if (draft.view.brakes === undefined) return wait("],
    ["admission: a place is waited for", 'if (draft.take("admitted") === null && isLimited(', 'if (draft.take("admitted") === undefined && isLimited('],
  ]),
  ...of("unit", "server/db/hot/policy-cache.ts", "server/db/hot/policy-cache.test.ts", [
    ["policy: one that is not valid is not known", "if (!parsed.success) {", "if (parsed.success === undefined) {"],
  ]),
  ...of("unit", "agent/steps/erase-devices.ts", "server/simulator/by-hand.test.ts", [
    ["agent: by hand only the drives that were asked for", "named.success ? all.filter(", "!named.success ? all.filter("],
  ]),
];
