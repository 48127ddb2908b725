// Who makes a request, and in which request: the first arguments of every use case.
import type { Asker } from "@/server/domain/access/access";

export interface Actor extends Asker {
  /** `local`: a program on this machine without sign-in, where the configuration allows that. */
  readonly kind: "person" | "token" | "local";
  readonly name: string;
  readonly email: string;
  /** The organisation, as in the paths of NICo's API; null for the provider's people. */
  readonly org: string | null;
  /** Sites where the tenant has the capability `targetedInstanceCreation`, which lets it claim an exact host. */
  readonly targetedAt: readonly string[];
  /** Set for a token that may only read. */
  readonly readOnly?: true;
  /** Set for a caller with a session of the console. */
  readonly sessionId?: string;
  /** Set if a passkey of this person has just confirmed exactly this act (`withConfirmation`). */
  readonly byPasskey?: true;
  /** Set if this password attempt was counted (`withPassword`). Call it when the password was right, whatever the outcome of the act. */
  readonly passwordWasRight?: () => void;
}

export interface Request {
  readonly requestId: string;
  /** The caller's network address; null within the process. */
  readonly address: string | null;
}

/** A caller on the loopback interface without sign-in (`RECLAIM_IRONIC_NOAUTH`). No person has this id. */
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
