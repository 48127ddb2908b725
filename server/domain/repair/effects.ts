// Whether a request for a repair stands, and what claim, outcome and release then do to it: one text for dialogs and command line
// (docs/repair.md#what-a-repair-tenants-release-does).
import type { RepairOutcome } from "@/server/domain/repair/repairs";

/** Of the reports that ask for a repair now. Undefined: not known. */
export interface StandingRequest {
  /** Somebody requested the repair; only this is ended by the release of a repair tenant. */
  readonly requested?: boolean | undefined;
  /** A tenant reported an issue. */
  readonly reported?: boolean | undefined;
}

const notKnown = "Whether a repair is requested is not known: a server that is not upgraded yet answered.";

/** "A repair is requested, and a tenant reported an issue." Pure. */
export function requestText({ requested, reported }: StandingRequest): string {
  if (requested === undefined || reported === undefined) return notKnown;
  if (requested)
    return reported ? "A repair is requested, and a tenant reported an issue." : "A repair is requested.";
  return reported
    ? "A tenant reported an issue, but nobody has requested a repair."
    : "Nobody has requested a repair.";
}

/** For a column. Pure. */
export const requestNote = ({ requested, reported }: StandingRequest): string =>
  requested === undefined || reported === undefined
    ? "not known"
    : requested
      ? "requested"
      : reported
        ? "only reported"
        : "not requested";

const notEnded =
  "Ask the provider to request it before you release the host: a release does not remove a reported issue of which no repair was requested, and the host would have to be repaired again.";

/** Said before a claim. Pure. */
export function claimEffect(request: StandingRequest): string {
  if (request.requested === undefined)
    return `${notKnown} If none is, a release does not end the repair: ask the provider before you release the host.`;
  if (request.requested)
    return `${requestText(request)} If you set the outcome Completed and release the host, the request is removed and the host is cleaned and continues to Ready.`;
  return `${requestText(request)} ${request.reported ? notEnded : "A release changes no alert."}`;
}

/** What the release will do to the alerts, with this outcome. @param issue a new issue is reported with it. Pure. */
export function releaseEffect(
  { requested, reported }: StandingRequest,
  outcome: RepairOutcome,
  issue: boolean,
): string {
  if (requested === undefined || reported === undefined) return notKnown;
  if (issue)
    return requested
      ? "The request is removed. The new issue keeps the host out of allocation until it has been repaired."
      : "The new issue keeps the host out of allocation until it has been repaired.";
  if (!requested)
    return reported
      ? "Nobody has requested a repair of this host: the reported issue stays until an operator removes it, whatever the outcome."
      : "Nobody has requested a repair of this host: the release changes no alert.";
  return outcome === "completed"
    ? "The alerts that requested the repair are removed, and the host is cleaned and continues to Ready."
    : "The outcome is not Completed: the request is removed, and an alert that the repair is incomplete keeps the host out of allocation.";
}

/** Said while the outcome is chosen. Pure. */
export const outcomeEffect = (request: StandingRequest, outcome: RepairOutcome): string =>
  `Stored as labels of the host; nothing happens until you release it. ${requestText(request)} At the release: ${releaseEffect(request, outcome, false)}`;
