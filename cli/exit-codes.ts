// How the command ends: one table for the code, the help and the tests.

export const exitCodes = {
  ok: { code: 0, words: "It was done, or is accepted and under way." },
  failed: {
    code: 1,
    words: "The server failed or refused for a reason of its own; or you said no when asked.",
  },
  usage: { code: 2, words: "The command line, a file or a value in it is not valid. Nothing was done." },
  forbidden: { code: 3, words: "Not signed in, or your role may not." },
  notFound: {
    code: 4,
    words: "There is no such host, instance, reclamation, runbook or site, or it is not yours to see.",
  },
  notNow: {
    code: 5,
    words:
      "Not possible in the state that it is in, changed meanwhile, or not known yet: look again, or later.",
  },
  unreachable: { code: 6, words: "No answer, or not one of a Reclaim server." },
  otherwise: { code: 7, words: "What was waited for cannot come any more: a host failed, or went." },
  late: { code: 8, words: "What was waited for did not come in the time that --timeout gave it." },
  tampered: {
    code: 9,
    words: "What was checked was changed, is not whole, or is not signed by a key that you trust.",
  },
  unknownSigner: { code: 10, words: "What was checked is consistent, and you named no key that you trust." },
  notPlain: {
    code: 11,
    words:
      "The certificate or receipt verifies, and is one with exceptions, of a demo site, or a record of non-conformance.",
  },
  awaitsApproval: {
    code: 12,
    words: "The change was asked for, and waits for the approval of another person. Nothing was changed yet.",
  },
  interrupted: { code: 130, words: "Ctrl-C." },
} as const satisfies Record<string, { readonly code: number; readonly words: string }>;

export type Exit = keyof typeof exitCodes;

/** Ends the command with a message and, where something helps, what to do. */
export class CommandError extends Error {
  constructor(
    readonly exit: Exit,
    message: string,
    readonly advice: string | null = null,
  ) {
    super(message);
  }
}

/** For `reclaim help exit-codes`. */
export function exitCodesText(): string {
  const lines = Object.values(exitCodes).map(({ code, words }) => `  ${String(code).padStart(3)}  ${words}`);
  return [
    "How the command ends:",
    "",
    ...lines,
    "",
    "Of several hosts, the first that went wrong gives the code.",
    "",
  ].join("\n");
}
