// Which sign-ins reach the sign-in library: it costs far more than a refusal, and everybody's pages wait for the same processor.
import { addressGroup } from "@/server/domain/access/sign-in-limits";
import { Places } from "@/server/usecases/access/places";
import { isKnownAddress } from "@/server/usecases/access/sign-in";
import type { Backend } from "@/server/usecases/backend";
import { RateLimit } from "@/server/surfaces/http/rate-limit";

/**
 * Returns a function to call once the answer was sent; null: refuse. Waits at most until `leaving` is aborted, and throws if the database has
 * not answered by then.
 */
export type AdmitSignIn = (address: string, leaving: AbortSignal) => Promise<(() => void) | null>;

/** Callers at an address from which somebody has signed in before go before strangers, and a stranger's address has a rate limit. */
export function signInAdmission(database: Backend["database"]): AdmitSignIn {
  const places = new Places({ atOnce: 2, waiting: 16, waitingFirst: 32 });
  const rate = new RateLimit({ burst: 20, perSecond: 1, most: 10_000 });
  return async (address, leaving) => {
    const group = addressGroup(address);
    const isKnown = await beforeLeaving(isKnownAddress(database, group), leaving);
    return isKnown || rate.take(group, performance.now()) ? places.enter(isKnown, leaving) : null;
  };
}

function beforeLeaving<T>(answer: Promise<T>, leaving: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const left = (): void => reject(new Error("the database did not answer in time"));
    if (leaving.aborted) left();
    leaving.addEventListener("abort", left, { once: true });
    answer.then(resolve, reject).finally(() => leaving.removeEventListener("abort", left));
  });
}
