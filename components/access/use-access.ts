// Users, passkeys, tokens and sessions: read again after an act on any of them.
import type { Stale } from "@/components/ui/dialogs/act-dialog";

/** Polled: the live stream carries host events only, not changes to users or tokens. */
export const accessEveryMs = 10_000;

export const accessNouns: Stale = (trpc) => [trpc.people, trpc.tokens, trpc.sessions, trpc.passkeys];
