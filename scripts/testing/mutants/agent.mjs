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
    ["agent: unreadable blocks refute all but a cryptographic erase", "(unreadable && (mustRead || !cryptographic.has(technique)))", "false"],
  ]),
  ...of("unit", "agent/steps/erase-devices.ts", "server/simulator/reclamation.test.ts", [
    ["agent: journal before sending", "ready.length === 0 || (await reporter.acknowledge()).goOn", "true"],
    ["agent: an expected device that is gone", "[...kept, ...results, ...gone]", "[...kept, ...results]"],
  ]),
  ...of("unit", "agent/steps/prepare-device.ts", "server/simulator/reclamation.test.ts", [
    ["agent: status before sending again", "if (earlier !== null && (runs || ended)) {", "if (false && earlier !== null) {"],
    ["agent: an erase that is over is not taken for ours without its markers", " && earlier.markersWritten > 0;", ";"],
  ]),
  ...of("unit", "agent/steps/erase-device.ts", "server/simulator/reclamation.test.ts", [
    ["agent: markers that cannot be read are no proof of an erase that is over", "evidence, technique, ended);", "evidence, technique);"],
  ]),
  ...of("unit", "agent/steps/erase-disks/ata-device.ts", "server/simulator/disks.test.ts", [
    ["agent: a drive that our own erase left locked is unlocked", "await this.tools.ata.unlock(this.disk.path, erasePassword);", ""],
    ["agent: no password stays on a drive", "if (erased.value !== true) await this.renew();", ""],
  ]),
  ...of("unit", "agent/verification/fingerprint.ts", "server/simulator/content.test.ts", [
    ["agent: what a block holds is in its digest", "if (content !== null) hmac.update(content);", ""],
    ["agent: digests are keyed", 'createHmac("sha256", secret)', 'createHmac("sha256", "")'],
  ]),
  ...of("unit", "agent/verification/content-places.ts", "agent/verification/content-places.test.ts", [
    ["agent: the end of a drive is read", "end: own(wanted.end),", "end: [],"],
    ["agent: RAID metadata near the end is read", "raidMetadata: own(wanted.raidMetadata) }", "raidMetadata: [] }"],
  ]),
];
