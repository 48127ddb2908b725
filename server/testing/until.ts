// Waiting for something that another process does: never a fixed sleep, always with a limit and a reason when it does not come.

/** The first looks; most things come soon. */
const leastMs = 25;
/** A look is a statement or two, and a file waits for many hosts at once (docs/adr/0035-cheap-tests.md). */
const mostMs = 100;
/** Of the time that it waits already: what has taken seconds is found this much later. */
const share = 0.05;

/** Looks until `look` gives something else than false or a text, which says how far things are. Throws after `limitMs` with that text. */
export async function until<Value>(
  what: string,
  limitMs: number,
  look: () => Promise<Value | string | false>,
): Promise<Exclude<Value, string | false>> {
  const began = performance.now();
  for (;;) {
    const found = await look();
    // Proven by the comparison before it; TypeScript does not narrow a generic by it.
    if (found !== false && typeof found !== "string") return found as Exclude<Value, string | false>;
    const waited = performance.now() - began;
    if (waited > limitMs)
      throw new Error(
        `${what}: not within ${Math.round(limitMs / 1000)} s${typeof found === "string" ? `; ${found}` : ""}`,
      );
    const pauseMs = Math.min(Math.max(leastMs, waited * share), mostMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
