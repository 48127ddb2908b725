// Which addresses of the shared port belong to machines. The rest belong to the console (docs/design/datapath.md#machine-surfaces).

/** What Ironic also serves at its root: clients follow bookmarks, and openstacksdk requests some lists, without `/v1` (docs/api-ironic.md). */
const ironicCollections = [
  "allocations",
  "chassis",
  "conductors",
  "continue_inspection",
  "deploy_templates",
  "drivers",
  "events",
  "heartbeat",
  "lookup",
  "nodes",
  "portgroups",
  "ports",
  "runbooks",
  "shards",
  "volume",
];

/** First parts of the paths that only hosts call. They may have a listener of their own (`RECLAIM_MACHINE_LISTEN`). */
const hostSurfaces = ["agent", "boot"];
/** First parts of paths; each is the name of a surface. */
const surfaces = [...hostSurfaces, "network", "v1", "v2", "health-reports", "repair-leases", "audit-log"];
/** Paths with nothing below them. */
const single = ["metrics", "livez", "readyz"];

/** The parts of a path. @param url as in `request.url`, with or without a query */
function partsOf(url: string): readonly string[] {
  const end = url.search(/[?#]/);
  return (end === -1 ? url : url.slice(0, end)).split("/").slice(1);
}

/** Whether this is an address of Ironic's without the `/v1`. @param url as in `request.url` */
export const isIronicWithoutVersion = (url: string): boolean =>
  ironicCollections.includes(partsOf(url)[0] ?? "");

/** @param url as in `request.url`, with or without a query @param hostsElsewhere what only hosts call has a listener of its own */
export function isMachinePath(url: string, hostsElsewhere = false): boolean {
  const [first = "", ...below] = partsOf(url);
  // safety: front: what only hosts call is unknown where it is not answered
  if (hostsElsewhere && hostSurfaces.includes(first)) return false;
  return (
    surfaces.includes(first) || (single.includes(first) && below.length === 0) || isIronicWithoutVersion(url)
  );
}

/** `/` is the console's page, and also the Ironic API's root document for programs, which ask for JSON instead of a page. */
export function isMachineRequest(url: string, accept: string | undefined, hostsElsewhere = false): boolean {
  if (isMachinePath(url, hostsElsewhere)) return true;
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
