// sg3_utils on a machine (docs/design/sanitization.md#sata-and-sas).
import { answerOf, doneOf, given, refused, toldOf } from "@/agent/tools/machine/program/answers";
import { onDisk } from "@/agent/tools/machine/disks/disk-path";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { readOpcodes, readSense, sanitizeOf, formatSense } from "@/agent/tools/machine/disks/scsi-output";
import type { ScsiTools } from "@/agent/tools/tools";

/** sg3_utils exit code for ILLEGAL REQUEST, INVALID COMMAND OPERATION CODE (sg3_utils(8)): a drive older than SPC-3 cannot be asked, so it is only overwritten. */
const invalidOpcode = 9;
const tellsNothing = { sanitizeCrypto: false, sanitizeBlock: false };
/** Exit code of sg3_utils for UNIT ATTENTION: the drive reports a reset or new microcode, and has not carried out the command. */
const unitAttention = 6;
/** How many may precede the requested answer. */
const maxAttentions = 4;

/** Retries a command while the drive only answers that something has happened to it. */
const pastAttention =
  (run: RunTool): RunTool =>
  async (path, args, options) => {
    for (let attempt = 0; ; attempt += 1) {
      const ran = await run(path, args, options);
      if (ran.exitCode !== unitAttention || attempt >= maxAttentions) return ran;
    }
  };

/** `--early` and `--immed` return at once; `--quick` skips the countdown, which is for people. */
export const scsiTools = (run: RunTool): ScsiTools => ({
  supported: (path) =>
    onDisk(pastAttention(run), path, {
      program: programs.sgOpcodes,
      before: ["--compact"],
      answer: (ran) =>
        ran.exitCode === invalidOpcode
          ? given(ran.command, tellsNothing, "does not report its operation codes")
          : answerOf(ran, readOpcodes),
    }),
  sanitize: (path, operation) =>
    onDisk(pastAttention(run), path, {
      program: programs.sgSanitize,
      before: [`--${operation}`, "--quick", "--early"],
      answer: (ran) => doneOf(ran, /\bperipheral.type: disk\b/i),
    }),
  // Sense data of an earlier command comes first, and is gone once it has been read.
  sanitizeStatus: async (path) => {
    for (let attempt = 0; ; attempt += 1) {
      const sense = await onDisk(run, path, {
        program: programs.sgRequests,
        before: ["--raw"],
        answer: (ran) => toldOf(ran, readSense, formatSense),
      });
      if (sense.value === null) return { ...sense, value: null };
      const state = sanitizeOf(sense.value);
      if (state !== null) return { ...sense, value: state };
      if (attempt >= maxAttentions) return refused(sense.command, sense.status, 0);
    }
  },
});
