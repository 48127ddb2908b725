// Why an agent of Ironic's is not spoken to, in words for the log and for whoever waits for it on the host's page.
import { z } from "zod";
import type { Outcome } from "@/server/agents/refusal";
import {
  GuestFault,
  GuestRefusal,
  withoutToken,
  type GuestAddress,
} from "@/server/agents/guest/guest-client";

/** Of what a machine said. */
const mostShown = 500;

type GuestSaid = Pick<GuestAddress, "callbackUrl" | "token">;

/** Not registered, or not any more: there is nothing to do until something else happens. Logged where it says why. */
export class Over extends Error {}

/** In words for who waits for it: `Over` has them. What it answered, and its own address, are a foreign program's. */
export function reasonOf(error: unknown, { callbackUrl: url, token }: GuestSaid): string {
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
    .slice(0, mostShown);
}

/** Begins each reason. */
export const notRegistered = (why: string): string => `Ironic's agent is not registered: ${why}`;

/** What the agent server refuses it refuses for good: another boot was ordered, or nothing of this one counts. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Over(outcome.problem.code);
  return outcome.value;
}
