// Which addresses of the shared port belong to machines; the rest is the console's (docs/design/datapath.md#machine-surfaces).

/** First parts of paths, each the name of a surface. */
const surfaces = ["agent", "boot", "network", "v1", "v2", "health-reports"];
/** Paths that have nothing below them. */
const single = ["metrics", "livez", "readyz"];

/** `url` as in `request.url`, with or without a query. */
export function isMachinePath(url: string): boolean {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const [, first = "", ...below] = path.split("/");
  return surfaces.includes(first) || (single.includes(first) && below.length === 0);
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
  const [empty, first = ""] = route.split("/");
  return empty === "" && [...surfaces, ...single].includes(first) ? first : "other";
}
