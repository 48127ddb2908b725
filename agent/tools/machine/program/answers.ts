// Turns a program's output into the answer that a step works with. Output that is not understood is not an answer, whatever the exit code.
import type { z } from "zod";
import { parseJson } from "@/server/domain/json";
import type { Ran } from "@/agent/tools/machine/program/run-tool";
import type { Answer } from "@/agent/tools/tools";

/** Maximum length of stderr in a status: enough for any device's message. */
const statusLength = 1_000;

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** Turns a reader of text into a reader of program output. */
export const text =
  <Value>(read: (text: string) => Value | null) =>
  (output: Uint8Array): Value | null =>
    read(decoded(output));

/** Binary output is not shown as text. */
const printable = /^[\t\n\r -~]*$/;
const textOf = (ran: Ran): string => {
  const said = decoded(ran.stdout).trim();
  const words = ran.stderr.trim() || (printable.test(said) ? said : `${ran.stdout.length} bytes`);
  return words.length > statusLength ? `${words.slice(0, statusLength)} …` : words;
};

/**
 * The device carries out an erase: NVMe status 1Dh and 84h in nvme-cli's words, sense 04h/1Bh and 04h/04h in those of sg3_utils and as the bytes that
 * hdparm prints, in fixed or descriptor format (SPC-5, 4.5).
 */
const inProgress =
  /\b(?:sanitize|format) in progress\b|sb\[\]:\s+[7f][01](?: [0-9a-f]{2}){11} 04 (?:1b|04)\b|sb\[\]:\s+[7f][23] 0?2 04 (?:1b|04)\b/i;

export const refused = (command: string, status: string, exitCode = 1): Answer<never> => ({
  command,
  exitCode,
  status,
  value: null,
});

export const given = <Value>(command: string, value: Value, status = "success"): Answer<Value> => ({
  command,
  exitCode: 0,
  status,
  value,
});

/** `null` from `read`: not understood. `status`: the device's own words, if the tool shows them in what was read. */
export function answerOf<Value>(
  ran: Ran,
  read: (output: Uint8Array) => Value | null,
  status: (value: Value) => string = () => "success",
): Answer<Value> {
  const { command, exitCode } = ran;
  if (exitCode !== 0) {
    const answer = refusedBy(ran);
    return ran.over === false ? { ...answer, over: false } : answer;
  }
  if (ran.cut) return refused(command, "the output is longer than 1 MiB, and was not read whole", 0);
  const value = read(ran.stdout);
  return value === null
    ? refused(command, `not understood: ${textOf(ran) || "no output"}`, 0)
    : given(command, value, status(value));
}

/** The status of a command as nvme-cli ends its complaint: "NVMe status: Access Denied: …(0x4286)"; status code, its type, and bits of no interest. */
const nvmeStatus = /^NVMe status: .*\(0x([0-9a-f]{1,4})\)\s*$/im;

function codeOf(said: string): Pick<Answer<never>, "code"> {
  const field = Number.parseInt(nvmeStatus.exec(said)?.[1] ?? "", 16);
  return Number.isNaN(field) ? {} : { code: { bus: "nvme", sct: (field >> 8) & 7, sc: field & 0xff } };
}

/** The tool says that the device did not do what was asked. */
const refusedBy = (ran: Ran, status = textOf(ran) || "no words"): Answer<never> => ({
  ...refused(ran.command, status, ran.exitCode),
  ...codeOf(ran.stderr),
  ...(inProgress.test(`${ran.stderr}\n${decoded(ran.stdout)}`) ? { inProgress: true as const } : {}),
});

/**
 * hdparm exits with 0 even if the drive refused, and reports that on stderr. stress-ng counts failures there: `failed: 0` is not a complaint.
 */
const complaint = /bad\/missing sense|SG_IO:|\bfailed\b(?!: 0\b)|\berror\b|not supported/i;
const complains = (ran: Ran): boolean => ran.exitCode === 0 && complaint.test(ran.stderr);

/** Like `answerOf`, for a question about a drive's state: if the tool complains, what it printed is not the drive's answer. */
export function toldOf<Value>(
  ran: Ran,
  read: (output: Uint8Array) => Value | null,
  status?: (value: Value) => string,
): Answer<Value> {
  // safety: agent: a state that the tool complains about is not known
  if (complains(ran)) return refusedBy(ran, `${notPassedOn}: ${textOf(ran)}`);
  return answerOf(ran, read, status);
}

const notPassedOn = "the controller does not pass the drive's status on";

/** The output of a program that prints nothing on success. */
export const silence = /^\s*$/;

/** For a command that only does something: exit code 0, no complaint, and the words in `said` on stdout. */
export function doneOf(ran: Ran, said: RegExp): Answer<true> {
  if (complains(ran)) return refusedBy(ran);
  return answerOf<true>(
    ran,
    text((output) => (said.test(output) ? true : null)),
    () => textOf(ran) || "success",
  );
}

/** Reads JSON of one shape; unknown members are allowed. */
export const json = <Value>(schema: z.ZodType<Value>): ((output: Uint8Array) => Value | null) =>
  text((output) => parseJson(schema, output));
