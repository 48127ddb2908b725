// Why an Ironic agent is not spoken to, for the log and for people who wait for it on the host's page.
import { z } from "zod";
import type { Outcome } from "@/server/agents/refusal";
import {
  GuestFault,
  GuestRefusal,
  withoutToken,
  type GuestAddress,
} from "@/server/agents/guest/guest-client";

/** Maximum length of what is shown of a machine's words. */
const maxShown = 500;

type GuestContext = Pick<GuestAddress, "callbackUrl" | "token">;

/** The agent is not registered, or no longer: nothing can be done until something else happens. Logged if it says why. */
export class Over extends Error {}

/** The reason for people who wait; `Over` has its own. The agent's answer and address come from a foreign program. */
export function reasonOf(error: unknown, { callbackUrl: url, token }: GuestContext): string {
  const message = error instanceof Error ? error.message : String(error);
  const why =
    error instanceof Over
      ? message
      : error instanceof z.ZodError || error instanceof SyntaxError
        ? notRegistered("its response cannot be read")
        : error instanceof GuestRefusal || error instanceof GuestFault
          ? notRegistered(message)
          : notRegistered(`it cannot be reached at ${url}: ${message}`);
  return withoutToken(why, token)
    .replaceAll(/[^ -~]+/g, " ")
    .slice(0, maxShown);
}

/** The start of each reason. */
export const notRegistered = (why: string): string => `Ironic's agent is not registered: ${why}`;

/** A refusal of the agent server is final: another boot was ordered, or nothing of this one counts. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Over(outcome.problem.code);
  return outcome.value;
}
