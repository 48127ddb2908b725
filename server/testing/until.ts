// Waiting for something that another process does: never a fixed sleep, always with a limit and a reason when it does not come.

const everyMs = 25;

/** Looks until `look` gives something else than false or a text, which says how far things are. Throws after `limitMs` with that text. */
export async function until<Value>(
  what: string,
  limitMs: number,
  look: () => Promise<Value | string | false>,
): Promise<Exclude<Value, string | false>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    // Proven by the comparison before it; TypeScript does not narrow a generic by it.
    if (found !== false && typeof found !== "string") return found as Exclude<Value, string | false>;
    if (performance.now() > end)
      throw new Error(
        `${what}: not within ${Math.round(limitMs / 1000)} s${typeof found === "string" ? `; ${found}` : ""}`,
      );
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
