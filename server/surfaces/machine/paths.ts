// Which addresses of the shared port belong to machines; the rest is the console's (docs/design/datapath.md#machine-surfaces).

const prefixes = ["/agent/", "/boot/", "/network/", "/v1/", "/v2/", "/health-reports/"];
const exact = new Set([
  "/metrics",
  "/livez",
  "/readyz",
  "/v1",
  "/v2",
  "/agent",
  "/boot",
  "/network",
  "/health-reports",
]);

/** `url` as in `request.url`, with or without a query. */
export function isMachinePath(url: string): boolean {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

/** `/` is the console's page, and the root document of the Ironic API for programs, which ask for JSON and no page. */
export function isMachineRequest(url: string, accept: string | undefined): boolean {
  if (isMachinePath(url)) return true;
  return (
    /^\/(?:[?#]|$)/.test(url) &&
    accept !== undefined &&
    accept.includes("application/json") &&
    !accept.includes("text/html")
  );
}

/** The label of a surface in metrics and logs. */
export function surfaceOf(route: string): string {
  return /^\/(agent|boot|network|v1|v2|metrics|livez|readyz)(?=\/|$)/.exec(route)?.[1] ?? "other";
}
