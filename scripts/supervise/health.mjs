// Asks a server whether it works (`/readyz`), and whether a restart may help.

const answerLimitMs = 5_000;

/**
 * @param {number} port
 * @returns {Promise<import("./child.mjs").Health>}
 */
export async function healthOf(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(answerLimitMs),
    });
    if (answer.ok) return "ready";
    const said = await answer.json();
    return typeof said === "object" && said !== null && "restart" in said && said.restart === false
      ? "waiting"
      : "stuck";
  } catch {
    return "stuck";
  }
}
