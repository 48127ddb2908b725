// Turns on the living demo, as the console's demo menu does (docs/demo.md).

/**
 * @param {Record<string, string | undefined>} server environment of the server
 * @returns {Promise<string>} the result
 */
export async function beginLivingDemo({ RECLAIM_DEMO_DESK_URL: url = "", RECLAIM_DEMO_DESK_TOKEN: token }) {
  const begun = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ act: "switch", on: true }),
    signal: AbortSignal.timeout(10_000),
  }).then(
    ({ ok }) => ok,
    () => false, // the system works without it
  );
  return begun
    ? "The living demo is on: tenants take and release machines. --living off starts without it."
    : "The living demo did not begin. The console's demo menu switches it on.";
}
