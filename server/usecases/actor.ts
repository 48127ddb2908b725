// Who asks, and in which request: the first argument of every use case.
import type { Asker } from "@/server/domain/access/access";

export interface Actor extends Asker {
  /** `local`: a program on this machine that nobody signed in, where the setting allows that. */
  readonly kind: "person" | "token" | "local";
  readonly name: string;
  readonly email: string;
  /** The organisation that the NICo surface has in its paths; null for the provider's people. */
  readonly org: string | null;
  /** Sites at which its tenant has the capability `targetedInstanceCreation`: there it may claim one exact host. */
  readonly targetedAt: readonly string[];
  /** Present: of a token that may only read. */
  readonly readOnly?: true;
  /** Of who came with a session of the console. */
  readonly sessionId?: string;
  /** Present: a passkey of this person has just answered for the very act that is asked (`withConfirmation`). */
  readonly byPasskey?: true;
  /** Present: its attempt at the password was counted (`withPassword`). Called when the password was right, whatever becomes of the act. */
  readonly passwordWasRight?: () => void;
}

export interface Request {
  readonly requestId: string;
  /** The caller's network address; null inside the process. */
  readonly address: string | null;
}

/** Who asks on the loopback interface without signing in (`RECLAIM_IRONIC_NOAUTH`). No person has this id. */
export const localActor: Actor = {
  kind: "local",
  personId: "00000000-0000-0000-0000-000000000000",
  name: "not signed in, from this machine",
  email: "",
  role: "provider-admin",
  tenantId: null,
  org: null,
  targetedAt: [],
};
