// What the server is told of a program that failed.
import { clip } from "@/agent/steps/results";
import type { Answer } from "@/agent/tools/tools";

/** The longest message of the protocol. */
const messageLength = 2_000;

export const wordsOf = ({ command, exitCode, status }: Answer<unknown>): string =>
  clip(`${command} answered ${exitCode}: ${status}`, messageLength);
