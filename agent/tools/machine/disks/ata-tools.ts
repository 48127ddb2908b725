// hdparm on a machine (docs/design/sanitization.md#sata-and-sas).
import { answerOf, doneOf, toldOf } from "@/agent/tools/machine/program/answers";
import {
  readExtent,
  readIdentity,
  readNativeMax,
  readRealMax,
  readSanitizeStatus,
  sanitizeLines,
  type Extent,
} from "@/agent/tools/machine/disks/ata-output";
import { onDisk } from "@/agent/tools/machine/disks/disk-path";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Ran, RunOptions, RunTool } from "@/agent/tools/machine/program/run-tool";
import type { AtaTools } from "@/agent/tools/tools";

/** A large disk overwrites itself for a day and a half; the step's no-progress rule cannot see into the command. */
const eraseLimitMs = 72 * 3_600_000;

/** Why an overwrite would not reach every sector of the drive; null: it would. */
async function hidden(run: RunTool, path: string, extent: Extent | null): Promise<string | null> {
  if (extent === null) return "the number of its sectors cannot be read";
  const questions = [
    ...(extent.hasNativeMax ? [{ option: "-N", read: readNativeMax, what: "HPA or AMAX" }] : []),
    ...(extent.hasOverlay ? [{ option: "--dco-identify", read: readRealMax, what: "DCO" }] : []),
  ];
  for (const { option, read, what } of questions) {
    const answer = (ran: Ran) => toldOf(ran, read);
    const { value } = await onDisk(run, path, { program: programs.hdparm, before: [option], answer });
    // Less than can be addressed is no answer: hdparm makes 1 of the zeros of a drive that returns none (nwipe#444).
    if (value === null || value < extent.sectors)
      return `hdparm ${option} does not tell whether sectors are hidden (${what})`;
    if (value !== extent.sectors)
      return `${extent.sectors} of ${value} sectors can be addressed, the others are hidden (${what})`;
  }
  return null;
}

export function ataTools(run: RunTool): AtaTools {
  const hdparm = <Value>(
    path: string,
    before: readonly string[],
    answer: (ran: Ran) => ReturnType<typeof answerOf<Value>>,
    options: RunOptions = {},
  ) => onDisk(run, path, { program: programs.hdparm, before, answer, options });
  const security = (path: string, option: string, password: string, options?: RunOptions) =>
    hdparm(
      path,
      ["--user-master", "u", option, password],
      (ran) => doneOf(ran, /\bIssuing SECURITY_/),
      options,
    );

  return {
    // hdparm complains about a log page that older drives lack, although it has read the identification, so only the words count.
    identify: async (path) => {
      let words: Uint8Array = new Uint8Array();
      const answer = await hdparm(path, ["--Istdout"], (ran) => {
        words = ran.stdout;
        return answerOf(ran, readIdentity);
      });
      if (answer.value === null) return answer;
      const hiddenArea = await hidden(run, path, readExtent(words));
      return hiddenArea === null ? answer : { ...answer, value: { ...answer.value, hiddenArea } };
    },
    sanitize: (path, operation) =>
      hdparm(
        path,
        [
          "--yes-i-know-what-i-am-doing",
          `--sanitize-${operation === "crypto" ? "crypto-scramble" : "block-erase"}`,
        ],
        (ran) => doneOf(ran, /\bIssuing SANITIZE_/),
      ),
    sanitizeStatus: (path) =>
      hdparm(path, ["--sanitize-status"], (ran) =>
        toldOf(ran, readSanitizeStatus, () => sanitizeLines(ran.stdout)),
      ),
    unlock: (path, password) => security(path, "--security-unlock", password),
    setPassword: (path, password) => security(path, "--security-set-pass", password),
    secureErase: (path, password, enhanced) =>
      security(path, `--security-erase${enhanced ? "-enhanced" : ""}`, password, { limitMs: eraseLimitMs }),
    disableSecurity: (path, password) => security(path, "--security-disable", password),
  };
}
