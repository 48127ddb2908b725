// What is wrong with a site's network controller, in one sentence: from its answer to a request that changes nothing, and from the outcome of the
// last request (docs/operations.md#a-network-that-does-not-come).

/** The address of a site's network controller, and how to authenticate. */
export interface NetworkSite {
  readonly siteId: string;
  readonly url: string;
  readonly token: string;
  /** PEM; null: the system's authorities. */
  readonly authorities: string | null;
}

/** The answer to `OPTIONS {url}/hosts/{hostId}/network`. */
export type NetworkAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The methods that it lists; null: it lists none. */
      readonly allows: readonly string[] | null;
    }
  | {
      readonly kind: "lost";
      readonly cause: "connection" | "timeout" | "forbidden" | "untrusted" | "other";
      readonly reason: string;
    };

/** The latest request for a network of this host that the controller accepted. */
export interface AcceptedRequest {
  readonly network: string;
  readonly ms: number;
  /** What it still waits for, as text; null: every interface acknowledged it. */
  readonly waiting: string | null;
}

export interface NetworkFacts {
  /** How many interfaces of the host have to acknowledge a network. */
  readonly interfaces: number;
  readonly hasController: boolean;
  /** Null: it was not asked. */
  readonly answer: NetworkAnswer | null;
  readonly accepted: AcceptedRequest | null;
  /** Why the last request failed; null: it did not. */
  readonly trouble: string | null;
}

/** Interfaces take seconds. After this time, a controller that accepted a request counts as silent. */
const silentAfterMs = 60_000;

const settings = "in the site's settings";

/** Statuses of a server that knows the address but does not support this method. */
const knowsAddress = new Set([400, 405, 415, 422, 501]);

function lostText(answer: Extract<NetworkAnswer, { readonly kind: "lost" }>): string {
  switch (answer.cause) {
    case "timeout":
      return `The network controller does not respond: ${answer.reason}. Check that it is running, and its address ${settings}.`;
    case "forbidden":
      return `The network controller was not called, because its address is not allowed: ${answer.reason}.`;
    case "untrusted":
      return `The network controller's certificate is not accepted: ${answer.reason}. If it was issued by your own authority, add that to the site's authorities.`;
    case "connection":
      return `The network controller cannot be reached: ${answer.reason}. Check that it is running, and its address ${settings}.`;
    case "other":
      return `The network controller could not be called: ${answer.reason}.`;
  }
}

/** Null: nothing is wrong with it. */
function formatAnswer(
  { status, allows }: Extract<NetworkAnswer, { readonly kind: "answered" }>,
  accepted: AcceptedRequest | null,
): string | null {
  if (status === 401 || status === 403)
    return `The network controller rejected Reclaim's token with ${status}. Set the token that it expects ${settings}.`;
  if (status === 404 || status === 410)
    // A controller that accepted a request for this host does serve the address, whatever it answers to another method.
    return accepted !== null
      ? null
      : `The network controller responded with ${status}: it does not serve this host's network address. Check the controller's address ${settings}.`;
  if (status >= 200 && status < 300)
    return allows === null || allows.includes("PUT")
      ? null
      : `The server at the network controller's address accepts ${allows.join(", ")} but not PUT. Check the address ${settings}.`;
  if (knowsAddress.has(status)) return null;
  if (status >= 300 && status < 400)
    return `The network controller responded with ${status}, and redirects are not followed. Set its direct address ${settings}.`;
  return `The network controller responded with ${status}. Check that it works.`;
}

function silence({ network, ms, waiting }: AcceptedRequest, nowMs: number): string | null {
  const forMs = nowMs - ms;
  if (waiting === null || forMs < silentAfterMs) return null;
  return `The network controller accepted the request for the ${network} network ${Math.floor(forMs / 60_000)} min ago, but it is not complete: ${waiting}. Ask it again, or check those interfaces.`;
}

/** What is wrong with the network of a host, the most direct cause first; null: nothing. Pure. */
export function networkTrouble(facts: NetworkFacts, nowMs: number): string | null {
  const { answer, accepted, trouble } = facts;
  if (!facts.hasController)
    return `The node's site has no network controller. Set its address and token ${settings}.`;
  if (facts.interfaces === 0)
    return "No network interface of the node is known yet. They are learned in verifying.";
  const now =
    answer === null ? null : answer.kind === "lost" ? lostText(answer) : formatAnswer(answer, accepted);
  if (now !== null) return now;
  if (trouble !== null) return `The network controller did not carry out the request: ${trouble}`;
  return accepted === null ? null : silence(accepted, nowMs);
}
