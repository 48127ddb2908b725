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
    const answer = refused(command, textOf(ran) || "no words", exitCode);
    return ran.over === false ? { ...answer, over: false } : answer;
  }
  if (ran.cut) return refused(command, "the output is longer than 1 MiB, and was not read whole", 0);
  const value = read(ran.stdout);
  return value === null
    ? refused(command, `not understood: ${textOf(ran) || "no output"}`, 0)
    : given(command, value, status(value));
}

/** The output of a program that prints nothing on success. */
export const silence = /^\s*$/;

/**
 * For a command that only does something: exit code 0, no complaint, and the words in `said` on stdout. hdparm exits with 0 even if the drive refused,
 * and reports that on stderr ("SG_IO: bad/missing sense data"). stress-ng counts failures there: `failed: 0` is not a complaint.
 */
export function doneOf(ran: Ran, said: RegExp): Answer<true> {
  const complaint = /bad\/missing sense|SG_IO:|\bfailed\b(?!: 0\b)|\berror\b|not supported/i;
  if (ran.exitCode === 0 && complaint.test(ran.stderr))
    return refused(ran.command, textOf(ran), ran.exitCode);
  return answerOf<true>(
    ran,
    text((output) => (said.test(output) ? true : null)),
    () => textOf(ran) || "success",
  );
}

/** Reads JSON of one shape; unknown members are allowed. */
export const json = <Value>(schema: z.ZodType<Value>): ((output: Uint8Array) => Value | null) =>
  text((output) => parseJson(schema, output));
