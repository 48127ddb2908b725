// Exit codes: one table for the code, the help and the tests.
import { verdictExit } from "@/server/domain/assurance/proof/check-result";

export const exitCodes = {
  ok: { code: 0, words: "Done, or accepted and in progress." },
  failed: {
    code: 1,
    words: "The server failed, or refused for another reason; or you answered no.",
  },
  usage: { code: 2, words: "The command line, a file or a value in it is not valid. Nothing was done." },
  forbidden: { code: 3, words: "Not signed in, or not permitted." },
  notFound: {
    code: 4,
    words: "There is no such host, instance, reclamation, runbook or site, or you don't have access to it.",
  },
  notNow: {
    code: 5,
    words: "Not possible in the current state, changed in the meantime, or not known yet: check and retry.",
  },
  unreachable: { code: 6, words: "No response, or not from a Reclaim server." },
  otherwise: { code: 7, words: "The awaited state cannot be reached: a host failed or was removed." },
  late: { code: 8, words: "The awaited state was not reached within --timeout." },
  tampered: {
    code: verdictExit.tampered,
    words: "Verification failed: changed, incomplete, or not signed by a key that you trust.",
  },
  unknownSigner: {
    code: verdictExit.unknownSigner,
    words: "Consistent, but you named no key that you trust.",
  },
  notPlain: {
    code: verdictExit.notPlain,
    words:
      "The file verifies, but not all of it is plainly proven: with exceptions, not sanitized, from a demo site, or a record of non-conformance.",
  },
  awaitsApproval: {
    code: 12,
    words: "The change was asked for, and waits for the approval of another person. Nothing was changed yet.",
  },
  interrupted: { code: 130, words: "Ctrl-C." },
} as const satisfies Record<string, { readonly code: number; readonly words: string }>;

export type Exit = keyof typeof exitCodes;

/** Ends the command with a message and, if something can help, advice. */
export class CommandError extends Error {
  constructor(
    readonly exit: Exit,
    message: string,
    readonly advice: string | null = null,
  ) {
    super(message);
  }
}

/** The text of `reclaim help exit-codes`. */
export function exitCodesText(): string {
  const lines = Object.values(exitCodes).map(({ code, words }) => `  ${String(code).padStart(3)}  ${words}`);
  return [
    "Exit codes:",
    "",
    ...lines,
    "",
    "With several hosts, the first failure determines the code.",
    "",
  ].join("\n");
}
