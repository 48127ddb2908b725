"use client";
// Asks the browser for a passkey, and explains why if it does not provide one.
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { useQuery } from "@tanstack/react-query";
import type { inferProcedureInput } from "@trpc/server";
import { ShownError } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import type { AppRouter } from "@/server/surfaces/trpc/types";

type Purpose = inferProcedureInput<AppRouter["passkeys"]["begin"]>;

/** Browser errors (WebAuthn Level 3, 5.1.3 and 5.1.4) are the same whether the user cancels or has no such passkey. */
function textOf(error: unknown): string {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
    case "AbortError":
      return "The passkey did not answer: it was cancelled, took too long, or is not on this device. Try again.";
    case "InvalidStateError":
      return "This device or security key has a passkey of yours already.";
    case "SecurityError":
      return "The browser allows no passkeys at this address.";
    case "ConstraintError":
    case "NotSupportedError":
      return "This device cannot check that it is you. Use one with a PIN, a fingerprint or the like.";
    default:
      return "This browser does not support passkeys here. Use another browser, over https.";
  }
}

/** Translates browser errors only; the server's refusals bring their own message. @param origin where the server's passkeys work */
async function asked<T>(origin: string, ask: () => Promise<T>): Promise<T> {
  if (window.location.origin !== origin)
    throw new ShownError(
      `Passkeys work at ${origin}, and this page is at ${window.location.origin}. Open the console there.`,
    );
  try {
    return await ask();
  } catch (error) {
    throw new ShownError(textOf(error));
  }
}

/** The acts that use the browser's authenticator. */
export function usePasskey() {
  const { passkeys } = useTRPCClient();
  const confirm = async (purpose: Purpose) => {
    const { options, origin } = await passkeys.begin.mutate(purpose);
    return asked(origin, () => startAuthentication({ optionsJSON: options }));
  };
  const add = async (name: string, given: inferProcedureInput<AppRouter["passkeys"]["beginAdd"]>) => {
    const { options, origin } = await passkeys.beginAdd.mutate(given);
    const created = await asked(origin, () => startRegistration({ optionsJSON: options }));
    return passkeys.add.mutate({ name, created });
  };
  return { confirm, add };
}

function whyUnknown(isError: boolean, isPaused: boolean): string {
  if (isPaused) return "You are offline. You can confirm when the connection is back.";
  return isError
    ? "The server did not say how you confirm. Close this, and try again."
    : "Checking how you confirm…";
}

/** How this user confirms a decision, as the server determines: with the password or with a passkey. */
export function useConfirm() {
  const trpc = useTRPC();
  const { confirm } = usePasskey();
  const { data, isError, isPaused } = useQuery({ ...trpc.passkeys.list.queryOptions(), staleTime: 0 });
  const method = data?.confirmsWith;
  return {
    method,
    /** Why the user cannot confirm yet. */
    missing: method === undefined ? whyUnknown(isError, isPaused) : undefined,
    /** What the request carries: the password, or a fresh passkey assertion. */
    given: async (purpose: Purpose, password: string) =>
      method === "passkey" ? { passkey: await confirm(purpose) } : { password },
  };
}
