// Safety checks of the agent: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const agent = [
  ...of("unit", "agent/verification/markers.ts", "agent/verification/verification.test.ts", [
    ["agent: comparison of markers", "if (contentOf(seed, index, content.length).equals(content)) found += 1;", ""],
  ]),
  ...of("unit", "agent/verification/digests.ts", "agent/verification/verification.test.ts", [
    ["agent: comparison of digests", "if (digest(position, content) === old) matches += 1;", ""],
  ]),
  ...of("unit", "agent/verification/verify.ts", "agent/verification/verification.test.ts", [
    ["agent: what the first attempt sampled", "matches: own.matches + first.matches", "matches: own.matches"],
    ["agent: nothing to compare is no success", "prepared === 0 ||", ""],
    ["agent: unreadable blocks refute all but a cryptographic erase", "(unreadable && !cryptographic.has(technique))", "false"],
  ]),
  ...of("unit", "agent/steps/erase-devices.ts", "server/simulator/reclamation.test.ts", [
    ["agent: journal before sending", "ready.length === 0 || (await reporter.acknowledge()).goOn", "true"],
    ["agent: an expected device that is gone", "[...kept, ...results, ...gone]", "[...kept, ...results]"],
  ]),
  ...of("unit", "agent/steps/prepare-device.ts", "server/simulator/reclamation.test.ts", [
    ["agent: status before sending again", "if (earlier !== null && (", "if (false && earlier !== null && ("],
  ]),
];
